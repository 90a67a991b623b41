import { describe, expect, it } from 'vitest';
import { latestMoment } from '#shared/timing/day';
import { endpoint, rotateApiKey } from '../../../functions/rotate-api-key/rotate-api-key.ts';
import { buildKeyManagement, managementNow } from '../../support/api-key-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const hour = 3_600_000;

/** Rotates the key that the settings describe; without settings, the manager's own. */
function prepare(body: unknown, ...world: Parameters<typeof buildKeyManagement>) {
  const built = buildKeyManagement(...world);
  const { manager, caller, others, management } = built;
  const target = (others[0] ?? manager).apiKey;
  const request = { caller, path: { id: target.id }, body: endpoint.body.parse(body) };
  const run = () => rotateApiKey(request, management);
  return { run, target, ...built };
}

describe('rotateApiKey', () => {
  it('creates a successor with the same name, scopes and caps', async () => {
    const caps = { perMinuteCap: 60, dailyCap: 2_000 };
    const settings = { name: 'billing', scopes: ['send_email' as const], ...caps };
    const { run, target, written } = prepare({}, [settings]);

    const { text, apiKey } = await run();

    expect(apiKey).toMatchObject({ ...settings, createdAt: managementNow });
    expect(apiKey.id).not.toBe(target.id);
    expect(text).toContain(apiKey.id.slice('key_'.length));
    expect(written[0]?.change.successor).toEqual(apiKey);
  });

  it.each([
    [{}, 24 * hour],
    [{ overlapHours: 1.5 }, 1.5 * hour],
    [{ overlapHours: 0 }, 0],
  ])('with %o leaves the key valid for %d ms', async (body, overlap) => {
    const { run, target, keys } = prepare(body, [{}]);

    const { apiKey } = await run();

    expect(keys.get(target.id)).toMatchObject({
      validUntil: managementNow + overlap,
      replacedBy: apiKey.id,
    });
  });

  it('never extends the life of the old key', async () => {
    const validUntil = managementNow + hour;
    const { run, target, keys } = prepare({}, [{ validUntil }]);

    await run();

    expect(keys.get(target.id)).toMatchObject({ validUntil });
  });

  it("gives a 90-day key's successor 90 days", async () => {
    const createdAt = managementNow - 80 * 24 * hour;
    const validUntil = createdAt + 90 * 24 * hour;
    const { run } = prepare({}, [{ createdAt, validUntil }]);

    const { apiKey } = await run();

    expect(apiKey.validUntil).toBe(managementNow + 90 * 24 * hour);
  });

  it('caps the expiry of a successor whose key has an impossible one', async () => {
    const { run } = prepare({}, [{ createdAt: 0, validUntil: Number.MAX_SAFE_INTEGER }]);

    const { apiKey } = await run();

    expect(apiKey.validUntil).toBe(latestMoment);
  });

  it('rotates even the last manager, as its successor can manage', async () => {
    const { run, written } = prepare({ overlapHours: 0 });

    await run();

    expect(written).toHaveLength(1);
    expect(written[0]?.change.witness).toBeUndefined();
  });

  it('audits the successor, without a secret', async () => {
    const { run, target, manager, written } = prepare({}, [{}]);

    const { text, apiKey } = await run();

    const [entry] = written.map((each) => each.entry);
    expect(entry).toMatchObject({
      actor: manager.apiKey.id,
      action: 'api_key.rotated',
      target: target.id,
      after: { replacedBy: apiKey.id, validUntil: managementNow + 24 * hour },
    });
    expect(JSON.stringify(entry)).not.toContain(apiKey.secretHash);
    expect(JSON.stringify(entry)).not.toContain(text.split('_').at(-1));
  });

  it('refuses a key that already has a successor, and names it', async () => {
    const { run } = prepare({}, [{}]);
    const { apiKey } = await run();

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('api_key_rotated');
    expect(error.message).toContain(apiKey.id);
  });

  it('refuses a revoked key', async () => {
    const { run } = prepare({}, [{ revokedAt: managementNow }]);

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
