import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createApiCaller } from '../support/api-caller.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, manageKey, apiKey: sendKey } = await useTwin();
const call = createApiCaller(baseUrl, manageKey);

const entryShape = z.looseObject({
  action: z.string(),
  actor: z.string(),
  target: z.string(),
  at: z.number(),
});
const pageShape = z.object({ data: z.array(entryShape), nextCursor: z.string().nullable() });
const createdShape = z.looseObject({
  id: z.string(),
  key: z.string().optional(),
  secret: z.string().optional(),
});

async function readPage(query = '') {
  const { status, json } = await call('GET', `/api/v1/audit${query}`);
  expect(status).toBe(200);
  return pageShape.parse(json);
}

/** Makes every change that leaves an entry. Returns what no entry may show, and the target of each. */
async function changeEverything() {
  const make = async (method: string, path: string, body?: unknown, key?: string) => {
    const { status, json } = await call(method, path, { body, ...(key && { key }) });
    expect(status, `${method} ${path}`).toBeLessThan(300);
    return json === undefined ? { id: '' } : createdShape.parse(json);
  };
  const key = await make('POST', '/api/v1/api-keys', { name: 'billing', scopes: ['send_email'] });
  await make('PATCH', `/api/v1/api-keys/${key.id}`, { dailyCap: 5 });
  const successor = await make('POST', `/api/v1/api-keys/${key.id}/rotate`);
  await make('DELETE', `/api/v1/api-keys/${key.id}`);

  const url = 'https://hooks.example.com/services/tOkEn?user=ann@example.com';
  const webhook = await make('POST', '/api/v1/webhooks', { url });
  await make('PATCH', `/api/v1/webhooks/${webhook.id}`, { url: `${url}2`, enabled: false });
  const rotated = await make('POST', `/api/v1/webhooks/${webhook.id}/rotate-secret`);
  await make('DELETE', `/api/v1/webhooks/${webhook.id}`);

  const fields = { name: 'receipt', subject: 'For ann@example.com', content: 'Hello' };
  const template = await make('POST', '/api/v1/templates', fields, sendKey);
  await make('PUT', `/api/v1/templates/${template.id}`, { content: 'ann@example.com' }, sendKey);
  await make('DELETE', `/api/v1/templates/${template.id}`, undefined, sendKey);

  const body = { to: 'ann@example.com', subject: 'Hi', content: 'Hello' };
  await call('POST', '/api/v1/emails/send', { body, key: sendKey });
  await make('DELETE', '/api/v1/contacts/ann@example.com?sends=true');
  const secrets = [key.key, successor.key].map((each) => each?.split('_').at(-1));
  return {
    ids: { key: key.id, webhook: webhook.id, template: template.id },
    hidden: [...secrets, webhook.secret, rotated.secret, manageKey, sendKey, 'tOkEn'],
  };
}

const expected = [
  'contact.erased',
  'template.deleted',
  'template.updated',
  'template.created',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.updated',
  'webhook.created',
  'api_key.revoked',
  'api_key.rotated',
  'api_key.updated',
  'api_key.created',
  // The twin gives its organization an identity, and the domain of Resend's examples.
  'domain.added',
  'identity.set',
];

describe('the audit log', () => {
  it('has every change, newest first, with its author, and shows no secret and no address', async () => {
    const { ids, hidden } = await changeEverything();

    const { data, nextCursor } = await readPage('?limit=100');

    expect(data.map(({ action }) => action)).toEqual(expected);
    expect(nextCursor).toBeNull();
    const actorOf = (text: string) => `key_${text.split('_')[1]}`;
    const expectedActor = (action: string) => {
      if (action === 'identity.set' || action === 'domain.added') return 'operator';
      return actorOf(action.startsWith('template.') ? sendKey : manageKey);
    };
    for (const { action, actor } of data) expect(actor).toBe(expectedActor(action));
    const targets = Object.entries(ids).map(([kind, id]) => [kind, id]);
    for (const [kind = '', id] of targets) {
      const about = data.filter(({ action }) => action.replace('api_', '').startsWith(`${kind}.`));
      expect(new Set(about.map(({ target }) => target))).toEqual(new Set([id]));
    }
    const text = JSON.stringify(data);
    for (const secret of hidden) {
      expect(secret).toEqual(expect.any(String));
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/whsec_|secretHash|[0-9a-f]{64}/);
    expect(text).not.toContain('@');
  });

  it('is read in pages, each entry once', async () => {
    const read: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await readPage(`?limit=5${cursor && `&cursor=${cursor}`}`);
      read.push(...page.data.map(({ action }) => action));
      cursor = page.nextCursor;
    }

    expect(read).toEqual(expected);
  });

  it('has no entry for a rejected change', async () => {
    const before = await readPage('?limit=100');

    const refused = [
      await call('POST', '/api/v1/api-keys', { body: { name: '' } }),
      await call('DELETE', `/api/v1/api-keys/key_${'a'.repeat(32)}`),
      await call('POST', '/api/v1/webhooks', { body: { url: 'https://10.0.0.1/' } }),
      await call('POST', '/api/v1/templates', { body: { name: 'a', subject: '{{', content: 'b' } }),
    ];

    expect(refused.map(({ status }) => status)).toEqual([400, 404, 400, 400]);
    expect(await readPage('?limit=100')).toEqual(before);
  });

  it('is only available to managers', async () => {
    const { status } = await call('GET', '/api/v1/audit', { key: sendKey });

    expect(status).toBe(403);
  });

  it.each(['?cursor=nonsense', '?limit=0', '?limit=101'])('rejects %s', async (query) => {
    const { status, json } = await call('GET', `/api/v1/audit${query}`);

    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'validation_failed', errors: [{}] });
  });
});
