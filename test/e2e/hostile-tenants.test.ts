import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
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

describe('who finds the id of a send in a log', () => {
  const newSend = async () => {
    const { json } = await call('POST', '/api/v1/emails/send', {
      headers: bearer(stack.description.apiKey),
      body: { to: 'ann@example.com', subject: 'Hi', content: 'Hi' },
    });
    return z.object({ sendId: z.string() }).parse(json).sendId;
  };
  const setKeylessReading = (keylessReading: boolean) =>
    call('PATCH', '/api/v1/organization', {
      headers: bearer(manageKey),
      body: { keylessReading },
    });

  it('reads nothing by it where the organization has turned that off, while the key that made the send does', async () => {
    const path = `/api/v1/sends/${await newSend()}`;
    const before = await call('GET', path);

    await setKeylessReading(false);
    onTestFinished(async () => {
      await setKeylessReading(true);
    });
    const finder = await call('GET', path);
    const maker = await call('GET', path, { headers: bearer(stack.description.apiKey) });

    expect(before.status).toBe(200);
    expect(finder).toMatchObject({ status: 401, json: { code: 'invalid_api_key' } });
    expect(finder.text).not.toContain('ann@example.com');
    expect(maker.status).toBe(200);
  });
});
