import { afterAll, describe, expect, it } from 'vitest';
import { scopesOf } from '#shared/openapi/endpoint-reference';
import { putNewApiKey } from '#shared/organizations/api-key-store';
import { type Scope, scopes } from '#shared/organizations/scopes';
import { openTable } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { startLocalStack } from '../../infra/local/stack.ts';
import { type Endpoint, loadEndpoints } from '../../infra/openapi/endpoints.ts';
import { buildApiKey } from '../support/api-key-builder.ts';

// Every endpoint, with a key of every scope: each is refused exactly as its reference says.

const stack = await startLocalStack({ quiet: true });
afterAll(stack.stop);

const keys = await Promise.all(
  scopes.map(async (scope) => {
    const organizationId = organizationIdSchema.parse(stack.description.organizationId);
    const { apiKey, text } = buildApiKey({ organizationId, scopes: [scope] });
    await putNewApiKey(openTable(stack.description.tableName), apiKey);
    return { scope, text };
  }),
);

const endpoints = await loadEndpoints();
const named = endpoints.map((endpoint) => ({
  name: `${endpoint.route.method} ${endpoint.route.path}`,
  endpoint,
}));

/** Makes the request of the endpoint's own example. */
async function ask({ route, reference }: Endpoint, key: string | undefined) {
  const { example = {}, accepts: [mediaType] = ['application/json'] } = reference;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(example.path?.[name] ?? ''),
  );
  const response = await fetch(
    `${stack.description.baseUrl}${path}?${new URLSearchParams(example.query)}`,
    {
      method: route.method,
      redirect: 'manual',
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(example.body !== undefined && { 'content-type': mediaType }),
      },
      ...(example.body !== undefined && { body: bodyText(example.body) }),
    },
  );
  const text = await response.text();
  const { method } = route;
  const isProblem = response.headers.get('content-type') === 'application/problem+json';
  return isProblem && method !== 'HEAD' ? String(JSON.parse(text).code) : `${response.status}`;
}

const bodyText = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body);

const refusals = [
  'invalid_api_key',
  'missing_scope',
  'invalid_cron_secret',
  'invalid_operator_secret',
];
const refusalOr = (outcome: string, otherwise: string): string =>
  refusals.includes(outcome) ? outcome : otherwise;

function expectedOf({ reference: { access } }: Endpoint, scope: Scope): string {
  if (access === 'anybody') return 'admitted';
  if (access === 'cron_secret') return 'invalid_cron_secret';
  if (access === 'operator_secret') return 'invalid_operator_secret';
  const wanted = scopesOf(access);
  return wanted.length === 0 || wanted.includes(scope) ? 'admitted' : 'missing_scope';
}

describe.each(named)('$name', ({ endpoint }) => {
  it('admits a key of its scope, and of no other', async () => {
    const outcomes = await Promise.all(
      keys.map(async ({ scope, text }) => [
        scope,
        refusalOr(await ask(endpoint, text), 'admitted'),
      ]),
    );

    const expected = scopes.map((scope) => [scope, expectedOf(endpoint, scope)]);
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected));
  });
});
