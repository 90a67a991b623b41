import { describe, expect, it } from 'vitest';
import { latestMoment } from '#shared/timing/day';
import { endpoint, rotateApiKey } from '../../../functions/rotate-api-key/rotate-api-key.ts';
import { managementNow, openKeyManagement } from '../../support/api-key-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const hour = 3_600_000;

/** Rotates the key that the settings describe; without settings, the manager's own. */
async function prepare(body: unknown, ...world: Parameters<typeof openKeyManagement>) {
  const opened = await openKeyManagement(...world);
  const { caller, target, management } = opened;
  const request = { caller, path: { id: target.id }, body: endpoint.body.parse(body) };
  const run = () => rotateApiKey(request, management);
  return { ...opened, run };
}

describe('rotateApiKey', () => {
  it('creates a successor with the same name, scopes and caps', async () => {
    const caps = { perMinuteCap: 60, dailyCap: 2_000 };
    const settings = { name: 'billing', scopes: ['send_email' as const], ...caps };
    const { run, target, storedKey } = await prepare({}, [settings]);

    const { text, apiKey } = await run();

    expect(apiKey).toMatchObject({ ...settings, createdAt: managementNow });
    expect(apiKey.id).not.toBe(target.id);
    expect(text).toContain(apiKey.id.slice('key_'.length));
    expect(await storedKey(apiKey.id)).toEqual(apiKey);
  });

  it.each([
    [{}, 24 * hour],
    [{ overlapHours: 1.5 }, 1.5 * hour],
    [{ overlapHours: 0 }, 0],
  ])('with %o leaves the key valid for %d ms', async (body, overlap) => {
    const { run, target, storedKey } = await prepare(body, [{}]);

    const { apiKey } = await run();

    expect(await storedKey(target.id)).toMatchObject({
      validUntil: managementNow + overlap,
      replacedBy: apiKey.id,
    });
  });

  it('never extends the life of the old key', async () => {
    const validUntil = managementNow + hour;
    const { run, target, storedKey } = await prepare({}, [{ validUntil }]);

    await run();

    expect(await storedKey(target.id)).toMatchObject({ validUntil });
  });

  it("gives a 90-day key's successor 90 days", async () => {
    const createdAt = managementNow - 80 * 24 * hour;
    const validUntil = createdAt + 90 * 24 * hour;
    const { run } = await prepare({}, [{ createdAt, validUntil }]);

    const { apiKey } = await run();

    expect(apiKey.validUntil).toBe(managementNow + 90 * 24 * hour);
  });

  it('caps the expiry of a successor whose key has an impossible one', async () => {
    const { run } = await prepare({}, [{ createdAt: 0, validUntil: Number.MAX_SAFE_INTEGER }]);

    const { apiKey } = await run();

    expect(apiKey.validUntil).toBe(latestMoment);
  });

  it('rotates even the last manager, as its successor can manage', async () => {
    const { run, apiKey, storedKey } = await prepare({ overlapHours: 0 });

    const successor = await run();

    expect(await storedKey()).toMatchObject({ validUntil: managementNow });
    expect(await storedKey(successor.apiKey.id)).toMatchObject({ scopes: apiKey.scopes });
  });

  it('audits the successor, without a secret', async () => {
    const { target, ...world } = await prepare({}, [{}]);

    const { text, apiKey } = await world.run();

    const [entry] = await world.audit();
    expect(entry).toMatchObject({
      actor: world.apiKey.id,
      action: 'api_key.rotated',
      target: target.id,
      after: { replacedBy: apiKey.id, validUntil: managementNow + 24 * hour },
    });
    expect(JSON.stringify(entry)).not.toContain(apiKey.secretHash);
    expect(JSON.stringify(entry)).not.toContain(text.split('_').at(-1));
  });

  it('refuses a key that already has a successor, and names it', async () => {
    const { run } = await prepare({}, [{}]);
    const { apiKey } = await run();

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('api_key_rotated');
    expect(error.message).toContain(apiKey.id);
  });

  it('refuses a revoked key', async () => {
    const { run } = await prepare({}, [{ revokedAt: managementNow }]);

    expect((await serviceErrorOf(run)).code).toBe('api_key_revoked');
  });
});

describe('the request', () => {
  it.each([{ overlapHours: -1 }, { overlapHours: 169 }, { overlapHours: '24' }, { hours: 24 }])(
    '%o is refused',
    (body) => {
      expect(endpoint.body.safeParse(body).success).toBe(false);
    },
  );
});
