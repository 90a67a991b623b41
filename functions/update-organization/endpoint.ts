import * as z from 'zod/mini';
import type { LimitName } from '#shared/config/organization-limits';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { limitsViewSchema } from '#shared/organizations/limits-view';
import { organizationName } from '#shared/organizations/organization-fields';
import { limitValue } from '#shared/organizations/organization-limits';
import {
  exampleLimits,
  exampleOrganization,
  limitFields,
} from '#shared/organizations/organization-reference';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { organizationIdSchema } from '#shared/tokens/resource-id';

const own = (name: LimitName) => z.exactOptional(z.nullable(limitValue(name)));

const limits: Record<LimitName, ReturnType<typeof own>> = {
  sendsPerSecond: own('sendsPerSecond'),
  recipientsPerDay: own('recipientsPerDay'),
  apiKeys: own('apiKeys'),
  templates: own('templates'),
  webhooks: own('webhooks'),
  policies: own('policies'),
  categories: own('categories'),
  uploadBytesPerDay: own('uploadBytesPerDay'),
};

export const endpoint = defineEndpoint({
  route: 'PATCH /api/v1/organizations/{id}',
  access: 'operator_secret',
  path: z.object({ id: organizationIdSchema }),
  unmatchedPath: 'organization_not_found',
  body: z
    .strictObject({
      name: z.exactOptional(organizationName),
      paused: z.exactOptional(z.boolean()),
      attachmentsEnabled: z.exactOptional(z.boolean()),
      linksDisabled: z.exactOptional(z.boolean()),
      /** `null` makes one the deployment's again. */
      limits: z.exactOptional(z.strictObject(limits)),
    })
    .check(
      z.refine((changes) => Object.keys(changes).length > 0, {
        error: 'give at least one of name, paused, attachmentsEnabled, linksDisabled, limits',
      }),
    ),
  answers: {
    200: {
      body: z.extend(organizationViewSchema, { limits: limitsViewSchema }),
      description: 'The organization as it is now.',
      example: { ...exampleOrganization, limits: exampleLimits },
    },
  },
  errors: ['organization_not_found', 'concurrent_change'],
  lambda: { stack: 'Organizations', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'Operator',
    summary: 'Change or pause an organization',
    description:
      'Changes the fields that the request has. Of `limits` it changes those that are named; `null` makes one the deployment’s again. They count at the next request. A pause counts at the next send, which is refused with `tenant_paused`; tracked links then ask people before they leave. `linksDisabled` switches those links off at once: each answers 404, also in emails that went out before. Unsubscribing goes on working in both cases.',
    fields: {
      ...limitFields,
      limits: 'What the organization may use, in place of the deployment’s limits.',
    },
    example: {
      path: { id: exampleIds.organization },
      body: { limits: { recipientsPerDay: 50_000 } },
    },
  },
});

export type UpdateOrganizationRequest = z.infer<typeof endpoint.body>;
