import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createApiCaller } from '../support/api-caller.ts';
import { giveNothingUp } from '../support/held-timeout.ts';
import { useTwin } from '../support/twin.ts';

giveNothingUp();

const { baseUrl, manageKey } = await useTwin();
const call = createApiCaller(baseUrl, manageKey);
const apiKeys = '/api/v1/api-keys';

const keyShape = z.looseObject({ id: z.string(), key: z.string() });
const listShape = z.object({
  data: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  nextCursor: z.string().nullable(),
});

async function create(fields: object = {}) {
  const { status, json } = await call('POST', apiKeys, { body: { name: 'billing', ...fields } });
  expect(status).toBe(201);
  const created = keyShape.parse(json);
  return { ...created, path: `${apiKeys}/${created.id}` };
}

const send = (key: string, fields: object = {}) =>
  call('POST', '/api/v1/emails/send', {
    key,
    body: { to: 'ann@example.com', subject: 'Hi', content: 'Hello', ...fields },
  });

/** All keys, read page by page. */
async function listAll(limit = 100) {
  const found: z.infer<typeof listShape>['data'] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const answer = await call('GET', `${apiKeys}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    const page = listShape.parse(answer.json);
    found.push(...page.data);
    cursor = page.nextCursor;
  }
  return found;
}

const stateOf = async (id: string) => (await listAll()).find((each) => each.id === id);

describe('an API key', () => {
  it('works at once, with exactly its scopes', async () => {
    const { key } = await create({ scopes: ['send_email'] });

    const sent = await send(key);
    const listed = await call('GET', apiKeys, { key });

    expect(sent).toMatchObject({ status: 200, json: { status: 'sent' } });
    expect(listed).toMatchObject({ status: 403, json: { code: 'missing_scope' } });
  });

  it('is shown in full only when it is created', async () => {
    const { id, key, path } = await create({ name: 'orders', perMinuteCap: 5 });

    const changed = await call('PATCH', path, { body: { name: 'invoices' } });
    const listed = await listAll();

    expect(key).toMatch(/^esk_[a-z2-7]{32}_[a-z2-7]{40}$/);
    expect(key).toContain(id.slice('key_'.length));
    expect(changed.json).toMatchObject({ id, name: 'invoices', perMinuteCap: 5, status: 'active' });
    const shown = JSON.stringify([changed.json, listed]);
    expect(shown).not.toContain(key.split('_').at(-1));
    expect(shown).not.toContain('secretHash');
  });

  it('shows when it was last used, for any use', async () => {
    const [sender, reader, unused] = [
      await create(),
      await create({ scopes: ['read_sends'] }),
      await create(),
    ];
    const before = Date.now();

    await send(sender.key);
    await call('GET', '/api/v1/sends/snd_unknown', { key: reader.key });

    const used = await Promise.all([sender, reader].map(({ id }) => stateOf(id)));
    for (const state of used) expect(state?.['lastUsedAt']).toBeGreaterThanOrEqual(before);
    expect(await stateOf(unused.id)).not.toHaveProperty('lastUsedAt');
  });

  it('with a typo gets an answer that says so; other bad keys get no details', async () => {
    const { key } = await create();
    const typo = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

    const mistyped = await send(typo);
    const revoked = await create();
    await call('DELETE', revoked.path);
    const refused = await send(revoked.key);

    expect(mistyped.json).toMatchObject({
      code: 'invalid_api_key',
      detail: expect.stringContaining('mistyped'),
    });
    expect(refused.json).toMatchObject({
      code: 'invalid_api_key',
      detail: expect.stringContaining('unknown, revoked or expired'),
    });
  });

  it('loses a scope and gets a cap from its next request on', async () => {
    const { key, path } = await create({ scopes: ['send_email'] });
    await send(key);

    await call('PATCH', path, { body: { perMinuteCap: 1 } });
    // Of three requests, at least two fall into one minute, even if a new minute starts in between.
    const capped = [await send(key), await send(key), await send(key)];
    await call('PATCH', path, { body: { scopes: ['read_sends'], perMinuteCap: null } });
    const withoutScope = await send(key);

    expect(capped[0]?.status).toBe(200);
    expect(capped.map(({ status }) => status)).toContain(429);
    expect(withoutScope).toMatchObject({ status: 403, json: { code: 'missing_scope' } });
  });

  it('is refused for the rest of the day once its daily cap is reached', async () => {
    const { key } = await create({ dailyCap: 2 });

    const answers = [await send(key), await send(key), await send(key)];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.json).toMatchObject({ code: 'rate_limited' });
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answers[2]?.headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('is refused at once after it is revoked, shown as revoked, and can be revoked again', async () => {
    const { id, key, path } = await create();
    await send(key);

    const statuses = [
      (await call('DELETE', path)).status,
      (await send(key)).status,
      (await call('DELETE', path)).status,
      (await call('PATCH', path, { body: { name: 'back' } })).status,
    ];

    expect(statuses).toEqual([204, 401, 204, 409]);
    expect(await stateOf(id)).toMatchObject({ status: 'revoked' });
  });

  it('rotated by a successor remains valid until the overlap ends', async () => {
    const { id, key, path } = await create({ scopes: ['send_email'] });

    const rotated = await call('POST', `${path}/rotate`);
    const successor = keyShape.parse(rotated.json);
    const both = [await send(key), await send(successor.key)];
    const last = await call('POST', `${apiKeys}/${successor.id}/rotate`, {
      body: { overlapHours: 0 },
    });
    const ended = [await send(successor.key), await send(keyShape.parse(last.json).key)];

    expect(rotated.status).toBe(201);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(ended.map(({ status }) => status)).toEqual([401, 200]);
    expect(await stateOf(id)).toMatchObject({ replacedBy: successor.id, status: 'active' });
    expect(await stateOf(successor.id)).toMatchObject({ status: 'expired' });
  });

  it('gets one successor from two concurrent rotations, and the other gets a 409', async () => {
    const { path } = await create();

    const answers = await Promise.all([1, 2].map(() => call('POST', `${path}/rotate`)));

    const [won] = answers.filter(({ status }) => status === 201);
    const [lost] = answers.filter(({ status }) => status === 409);
    expect(lost?.json).toMatchObject({
      code: 'api_key_rotated',
      detail: expect.stringContaining(keyShape.parse(won?.json).id),
    });
  });
});

describe('keys that may manage the organization', () => {
  it('can be revoked, except for the last one', async () => {
    const { id, key, path } = await create({ scopes: ['manage_organization'] });
    const manager = (await listAll()).find(({ name }) => name === 'manage');

    const revokesItself = await call('DELETE', path, { key });
    const last = await call('DELETE', `${apiKeys}/${manager?.id}`);
    const demoted = await call('PATCH', `${apiKeys}/${manager?.id}`, { body: { scopes: [] } });

    expect(revokesItself.status).toBe(204);
    expect((await call('GET', apiKeys, { key })).status).toBe(401);
    expect(await stateOf(id)).toMatchObject({ status: 'revoked' });
    expect(last).toMatchObject({ status: 409, json: { code: 'last_manager_key' } });
    expect(demoted).toMatchObject({ status: 409, json: { code: 'last_manager_key' } });
    expect((await call('GET', apiKeys)).status).toBe(200);
  });

  // The last test: it may end the key that the others manage with.
  it("can't all revoke each other concurrently", async () => {
    const scopes = ['manage_organization', 'send_email'];
    const manager = (await listAll()).find(({ name }) => name === 'manage');
    const others = [await create({ scopes }), await create({ scopes })];
    const ids = [manager?.id, ...others.map(({ id }) => id)];
    const keys = [manageKey, ...others.map(({ key }) => key)];

    // Each revokes the next.
    await Promise.all(
      keys.map((key, index) =>
        call('DELETE', `${apiKeys}/${ids[(index + 1) % ids.length]}`, { key }),
      ),
    );

    const alive = await Promise.all(keys.map((key) => call('GET', apiKeys, { key })));
    expect(alive.map(({ status }) => status)).toContain(200);
  });
});
