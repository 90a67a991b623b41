import type * as z from 'zod/mini';
import type { Route, routes } from '../../../functions/routes.ts';
import * as answers from './answers.ts';

/** A route as the route table has it: `GET /api/v1/sends/{id}`. */
type RouteName<Known extends Route> = Known extends Route
  ? `${Known['method']} ${Known['path']}`
  : never;

/** The endpoints that the commands ask, and what they read of each answer. Every one is in the route table. */
export const endpoints = {
  'POST /api/v1/organizations': answers.newOrganization,
  'GET /api/v1/organizations': answers.pageOf(answers.organization),
  'GET /api/v1/organizations/{id}': answers.boundedOrganization,
  'PATCH /api/v1/organizations/{id}': answers.organization,
  'DELETE /api/v1/organizations/{id}': answers.nothing,
  'POST /api/v1/organizations/{id}/api-keys': answers.firstKey,
  'GET /api/v1/domain-claims': answers.pageOf(answers.domainClaim),
  'POST /api/v1/domain-claims': answers.domainClaim,
  'DELETE /api/v1/domain-claims/{domain}': answers.nothing,
  'GET /api/v1/organization': answers.settings,
  'PATCH /api/v1/organization': answers.settings,
  'POST /api/v1/organization/notice-email/confirmation': answers.settings,
  'DELETE /api/v1/idempotency-keys/{key+}': answers.nothing,
  'PUT /api/v1/organization/identity': answers.identity,
  'GET /api/v1/organization/identity': answers.identity,
  'DELETE /api/v1/organization/identity': answers.nothing,
  'POST /api/v1/api-keys': answers.newApiKey,
  'GET /api/v1/api-keys': answers.pageOf(answers.apiKey),
  'PATCH /api/v1/api-keys/{id}': answers.apiKey,
  'POST /api/v1/api-keys/{id}/rotate': answers.newApiKey,
  'DELETE /api/v1/api-keys/{id}': answers.nothing,
  'POST /console/links': answers.consoleLink,
  'GET /api/v1/policies': answers.pageOf(answers.policy),
  'PUT /api/v1/policies/{key}': answers.policy,
  'DELETE /api/v1/policies/{key}': answers.nothing,
  'GET /api/v1/categories': answers.pageOf(answers.category),
  'POST /api/v1/categories': answers.category,
  'PATCH /api/v1/categories/{key}': answers.category,
  'DELETE /api/v1/categories/{key}': answers.nothing,
  'GET /api/v1/audit': answers.pageOf(answers.auditEntry),
  'GET /api/v1/usage': answers.usage,
  'GET /api/v1/webhooks': answers.webhooks,
  'POST /api/v1/webhooks': answers.newWebhook,
  'DELETE /api/v1/webhooks/{id}': answers.nothing,
  'GET /api/v1/sends': answers.sends,
  'GET /api/v1/sends/{id}': answers.timeline,
  'GET /api/v1/recipients/{email}': answers.recipient,
  'GET /api/v1/suppressions': answers.pageOf(answers.suppression),
  'POST /api/v1/suppressions': answers.suppression,
  'DELETE /api/v1/suppressions/{email}': answers.lift,
  'POST /api/v1/suppressions/lift': answers.liftOfMany,
  'POST /api/v1/suppressions/import': answers.suppressionImport,
  'GET /api/v1/suppressions/export': answers.csv,
} as const satisfies Partial<Record<RouteName<(typeof routes)[number]>, z.ZodMiniType>>;

export type EndpointName = keyof typeof endpoints;
export type AnswerOf<Name extends EndpointName> = z.output<(typeof endpoints)[Name]>;

/** The same table, in which the type of an answer follows from the name of its endpoint. */
export const answerSchemas: { readonly [Name in EndpointName]: z.ZodMiniType<AnswerOf<Name>> } =
  endpoints;

/** A name with a plus takes the rest of the path. */
type WithoutPlus<Name extends string> = Name extends `${infer Own}+` ? Own : Name;

/** The names in braces of a path. */
type ParameterIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? WithoutPlus<Name> | ParameterIn<Rest>
  : never;

/** A value for each name in braces of the path; nothing for a path without any. */
export type ParametersOf<Name extends EndpointName> = [ParameterIn<Name>] extends [never]
  ? { readonly parameters?: undefined }
  : { readonly parameters: Readonly<Record<ParameterIn<Name>, string>> };

/** An endpoint's method and path, filled in: values are encoded. */
export function addressOf(
  name: EndpointName,
  parameters: Readonly<Record<string, string>> = {},
): { readonly method: string; readonly path: string } {
  const [method = '', template = ''] = name.split(' ');
  const path = template.replaceAll(/\{(\w+)\+?\}/g, (_, parameter: string) =>
    encodeURIComponent(parameters[parameter] ?? ''),
  );
  return { method, path };
}
