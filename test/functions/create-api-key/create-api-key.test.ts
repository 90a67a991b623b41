import { describe, expect, it } from 'vitest';
import { parseApiKey } from '#shared/access/api-key';
import { createApiKey } from '#shared/access/manage-api-keys';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/create-api-key/create-api-key.ts';
import { managementNow, openKeyManagement } from '../../support/api-key-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

async function prepare(body: unknown, ...world: Parameters<typeof openKeyManagement>) {
  const opened = await openKeyManagement(...world);
  const request = { caller: opened.caller, body: endpoint.body.parse(body) };
  const run = () => createApiKey(request, opened.management);
  return { ...opened, run };
}

describe('createApiKey', () => {
  it('creates a key with the requested settings', async () => {
    const settings = {
      name: 'billing',
      scopes: ['send_email'],
      perMinuteCap: 60,
      dailyCap: 2_000,
      validUntil: managementNow + 1,
    };
    const { run, organizationId, storedKey } = await prepare(settings);

    const { text, apiKey } = await run();

    expect(parseApiKey(text)).toEqual({ id: apiKey.id, secretHash: apiKey.secretHash });
    expect(organizationIdOf(apiKey.id)).toBe(organizationId);
    expect(apiKey).toMatchObject({ ...settings, createdAt: managementNow });
    expect(await storedKey(apiKey.id)).toEqual(apiKey);
  });

  it.each(['x', 'x'.repeat(100)])('takes the name %s', async (name) => {
    const { run } = await prepare({ name });

    expect((await run()).apiKey.name).toBe(name);
  });

  it('creates a key without scopes, caps and expiry when the request names none', async () => {
    const { run, caller } = await prepare({ name: ' billing ' });

    const { apiKey } = await run();

    expect(apiKey).toEqual({
      id: apiKey.id,
      secretHash: apiKey.secretHash,
      name: 'billing',
      scopes: [],
      createdAt: managementNow,
      createdBy: { actor: caller.apiKey.id },
      updatedAt: managementNow,
    });
  });

  it('audits who created which key, without a secret', async () => {
    const world = await prepare({ name: 'billing', scopes: ['read_sends'] });

    const { text, apiKey } = await world.run();

    const [entry] = await world.audit();
    expect(entry).toMatchObject({
      actor: world.apiKey.id,
      action: 'api_key.created',
      target: apiKey.id,
      after: { name: 'billing', scopes: ['read_sends'] },
    });
    expect(JSON.stringify(entry)).not.toContain(apiKey.secretHash);
    expect(JSON.stringify(entry)).not.toContain(text.split('_').at(-1));
  });

  it('refuses an expiry in the past', async () => {
    const { run, items } = await prepare({ name: 'billing', validUntil: managementNow });
    const before = items();

    const error = await serviceErrorOf(run);

    expect(error.errors).toEqual([
      { path: 'validUntil', message: 'must be in the future; to end a key now, revoke it' },
    ]);
    expect(items()).toEqual(before);
  });

  it.each([
    ['valid', { validUntil: managementNow + 1 }, 1, 'its limit of 2 API keys'],
    ['listed', { revokedAt: managementNow - 1 }, 19, 'has created 20 API keys'],
  ])('refuses another key when the maximum are %s', async (_what, other, count, words) => {
    const others = Array.from({ length: count }, () => other);
    const { run, items } = await prepare({ name: 'billing' }, others, { limits: { apiKeys: 2 } });
    const before = items();

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('too_many_api_keys');
    expect(error.message).toContain(words);
    expect(items()).toEqual(before);
  });
});

describe('the request', () => {
  const name = 'billing';

  it.each([
    ['without a name', {}],
    ['with an empty name', { name: ' ' }],
    ['with a name of two lines', { name: 'a\nb' }],
    ['with a name too long', { name: 'x'.repeat(101) }],
    ['with a scope that is not known', { name, scopes: ['send_emails'] }],
    ['with scopes that are no list', { name, scopes: 'send_email' }],
    ['with a cap of nothing', { name, perMinuteCap: 0 }],
    ['with half a cap', { name, perMinuteCap: 1.5 }],
    ['with a daily cap of nothing', { name, dailyCap: 0 }],
    ['with an end that is no moment', { name, validUntil: 'tomorrow' }],
    ['with a key of its own', { name, key: 'mine' }],
  ])('with %s is rejected', (_what, body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });

  it('keeps each scope once, and takes an expiry as a date', () => {
    const body = { name, scopes: ['read_sends', 'read_sends'], validUntil: '2027-01-01T00:00:00Z' };

    expect(endpoint.body.parse(body)).toEqual({
      name,
      scopes: ['read_sends'],
      validUntil: Date.UTC(2027, 0, 1),
    });
  });
});
