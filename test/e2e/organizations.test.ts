import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin();

const { baseUrl, operatorSecret } = stack;
const path = '/api/v1/organizations';

type Call = { readonly body?: unknown; readonly key?: string; readonly secret?: string | null };

/** As the operator, unless a key is given. */
async function call(method: string, target: string, { body, key, secret }: Call = {}) {
  const shown = secret === undefined ? operatorSecret : secret;
  const response = await fetch(`${baseUrl}${target}`, {
    method,
    headers: {
      ...(key === undefined && shown !== null && { 'x-operator-secret': shown }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, json };
}

const codeOf = ({ json }: { json: unknown }) => z.object({ code: z.string() }).parse(json).code;
const idShape = z.object({ id: z.string() });
const createdShape = z.object({
  organization: z.looseObject({ id: z.string(), paused: z.boolean() }),
  apiKey: z.object({ id: z.string(), key: z.string(), scopes: z.array(z.string()) }),
});
const pageShape = z.object({ data: z.array(idShape), nextCursor: z.string().nullable() });

async function create(name: string) {
  const created = createdShape.parse((await call('POST', path, { body: { name } })).json);
  return { ...created, own: `${path}/${created.organization.id}`, key: created.apiKey.key };
}

const email = { to: 'ann@example.com', subject: 'Hi', content: 'Hello' };
const send = (key: string) => call('POST', '/api/v1/emails/send', { key, body: email });

describe('the operator', () => {
  it('creates an organization, whose first key works at once', async () => {
    const { organization, key } = await create('First Ltd');

    expect(organization).toMatchObject({ name: 'First Ltd', paused: false });
    expect((await call('GET', '/api/v1/webhooks', { key })).status).toBe(200);
    expect(codeOf(await send(key))).toBe('no_active_identity');
  });

  it('reads the created organization, without its key', async () => {
    const { organization, own, key } = await create('Second Ltd');

    const { status, json } = await call('GET', own);

    expect(status).toBe(200);
    expect(json).toMatchObject({ ...organization, use: { apiKeys: 1, templates: 0 } });
    expect(JSON.stringify(json)).not.toContain(key);
  });

  it('lists organizations, newest first, page by page', async () => {
    const older = await create('Older Ltd');
    const newer = await create('Newer Ltd');

    const page = pageShape.parse((await call('GET', `${path}?limit=1`)).json);
    const rest = pageShape.parse(
      (await call('GET', `${path}?limit=1&cursor=${page.nextCursor}`)).json,
    );

    expect(page.data.map(({ id }) => id)).toEqual([newer.organization.id]);
    expect(rest.data.map(({ id }) => id)).toEqual([older.organization.id]);
  });

  it('pauses an organization and resumes it, effective from its next send', async () => {
    const { own, key } = await create('Third Ltd');

    const paused = await call('PATCH', own, { body: { paused: true } });
    const whilePaused = codeOf(await send(key));
    await call('PATCH', own, { body: { paused: false } });

    expect(paused).toMatchObject({ status: 200, json: { paused: true } });
    expect(whilePaused).toBe('tenant_paused');
    expect(codeOf(await send(key))).toBe('no_active_identity');
  });

  it('gives an organization a new key when the last was lost', async () => {
    const { own, key, apiKey } = await create('Fourth Ltd');

    const { status, json } = await call('POST', `${own}/api-keys`);

    const second = createdShape.shape.apiKey.parse(json);
    expect(status).toBe(201);
    expect(second.scopes).toEqual(apiKey.scopes);
    for (const text of [key, second.key]) {
      expect((await call('GET', '/api/v1/webhooks', { key: text })).status).toBe(200);
    }
  });

  it('deletes an organization by id and name, after which nothing of it is reachable', async () => {
    const { own, key } = await create('Fifth & Sons');
    const template = { name: 'hello', subject: 'Hi', content: 'Hello' };
    await call('POST', '/api/v1/templates', { key, body: template });

    const byWrongName = await call('DELETE', `${own}?name=Fifth`);
    const byNoName = await call('DELETE', own);
    const deleted = await call('DELETE', `${own}?name=${encodeURIComponent('Fifth & Sons')}`);
    const again = await call('DELETE', `${own}?name=${encodeURIComponent('Fifth & Sons')}`);

    expect([byWrongName, byNoName].map(codeOf)).toEqual(['validation_failed', 'validation_failed']);
    expect([deleted.status, again.status]).toEqual([204, 204]);
    expect(codeOf(await send(key))).toBe('invalid_api_key');
    for (const target of ['/api/v1/templates', '/api/v1/webhooks', '/api/v1/usage']) {
      expect(codeOf(await call('GET', target, { key }))).toBe('invalid_api_key');
    }
    expect(codeOf(await call('GET', own))).toBe('organization_not_found');
    expect(codeOf(await call('PATCH', own, { body: { paused: true } }))).toBe(
      'organization_not_found',
    );
    expect(codeOf(await call('POST', `${own}/api-keys`))).toBe('organization_not_found');
    expect(JSON.stringify((await call('GET', `${path}?limit=100`)).json)).not.toContain('Fifth');
  });
});

describe('a caller other than the operator', () => {
  const requests = [
    ['POST', path, { name: 'Sixth Ltd' }],
    ['GET', path],
    ['GET', `${path}/org_bbbbbbbbbbbbbbbb`],
    ['PATCH', `${path}/org_aaaaaaaaaaaaaaaa`, { paused: true }],
    ['DELETE', `${path}/org_aaaaaaaaaaaaaaaa?name=x`],
    ['POST', `${path}/org_aaaaaaaaaaaaaaaa/api-keys`],
  ] as const;

  it.each(requests)('is refused at %s %s', async (method, target, body?) => {
    const { manageKey: key } = stack;

    for (const by of [{ secret: null }, { secret: 'wrong' }, { key }]) {
      const answer = await call(method, target, { body, ...by });

      expect(answer.status).toBe(401);
      expect(codeOf(answer)).toBe('invalid_operator_secret');
    }
  });
});
