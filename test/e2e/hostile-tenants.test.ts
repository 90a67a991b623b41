import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startLocalStack } from '../../infra/local/stack.ts';
import { ownDatabase } from '../support/own-database.ts';

// What tenants, strangers, recipients and stolen credentials try, against the whole service on the local twin. Each
// case is one attack and says what it gets. SECURITY.md names them.

const stack = await startLocalStack({ quiet: true, env: ownDatabase().environment });
afterAll(stack.stop);

const { baseUrl, operatorSecret, manageKey } = stack.description;

type Call = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

/** Asks the service as a stranger, unless the headers say who asks. */
async function call(method: string, path: string, { body, headers }: Call = {}) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const asOperator = { 'x-operator-secret': operatorSecret };

/** A tenant of its own, as the operator makes one: its manager key, and no domain yet. */
async function newTenant(name: string) {
  const { json } = await call('POST', '/api/v1/organizations', {
    headers: asOperator,
    body: { name },
  });
  const { organization, apiKey } = z
    .object({
      organization: z.object({ id: z.string() }),
      apiKey: z.object({ id: z.string(), key: z.string() }),
    })
    .parse(json);
  return { organizationId: organization.id, key: apiKey.key, as: bearer(apiKey.key) };
}

describe('a tenant', () => {
  it('finds nothing of another tenant by its ids', async () => {
    const thief = await newTenant('Thief Ltd');
    const { json } = await call('POST', '/api/v1/webhooks', {
      headers: bearer(manageKey),
      body: { url: 'https://example.com/hooks' },
    });
    const { id } = z.object({ id: z.string() }).parse(json);

    const answer = await call('GET', `/api/v1/webhooks/${id}`, { headers: thief.as });

    expect(answer).toMatchObject({ status: 404, json: { code: 'webhook_not_found' } });
  });
});

// Notices and idempotency keys.

// Tracked links and pages for recipients.

// Suppressions, SES's lists, contacts.

// Domains.

// Limits that the operator sets.

// Sessions and keyless reading.
