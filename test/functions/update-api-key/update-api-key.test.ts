import { describe, expect, it } from 'vitest';
import { updateApiKey } from '#shared/access/manage-api-keys';
import { newSession } from '#shared/access/sign-in';
import { endpoint } from '../../../functions/update-api-key/update-api-key.ts';
import { buildApiKey, fakeApiKeys } from '../../support/api-key-builder.ts';
import { buildKeyManagement, managementNow } from '../../support/api-key-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type World = Parameters<typeof buildKeyManagement>;
type KeySettings = Parameters<typeof buildApiKey>[0];

/** Changes the key that the settings describe; without settings, the manager's own. */
function prepare(body: unknown, ...world: World) {
  const built = buildKeyManagement(...world);
  const { manager, caller, others, management } = built;
  const target = (others[0] ?? manager).apiKey;
  const request = { caller, path: { id: target.id }, body: endpoint.body.parse(body) };
  const run = () => updateApiKey(request, management);
  return { run, target, ...built };
}

describe('updateApiKey', () => {
  it('changes the given fields and keeps the others', async () => {
    const before = { name: 'old', scopes: ['send_email' as const], perMinuteCap: 60 };
    const { run, target } = prepare({ name: 'new', perMinuteCap: 90 }, [before]);

    expect(await run()).toEqual({
      ...target,
      name: 'new',
      perMinuteCap: 90,
      updatedAt: managementNow,
    });
  });

  it('changes another field of a test key with a scope of a newer version', async () => {
    const before = { test: true as const, scopes: ['send_email', 'domains_manage'] };
    const { run } = prepare({ name: 'new' }, [before]);

    expect(await run()).toMatchObject({ ...before, name: 'new' });
  });

  it('removes a cap and the expiry with null', async () => {
    const before = { perMinuteCap: 60, dailyCap: 9, validUntil: managementNow + 1 };
    const { run } = prepare({ perMinuteCap: null, dailyCap: null, validUntil: null }, [before]);

    const after = await run();

    expect(after).not.toHaveProperty('perMinuteCap');
    expect(after).not.toHaveProperty('dailyCap');
    expect(after).not.toHaveProperty('validUntil');
  });

  it('records in the audit the fields that changed, before and after', async () => {
    const body = { name: 'old', perMinuteCap: 90, validUntil: managementNow + 5 };
    const { run, manager, target, written } = prepare(body, [{ name: 'old', perMinuteCap: 60 }]);

    await run();

    expect(written.map(({ entry }) => entry)).toMatchObject([
      {
        actor: manager.apiKey.id,
        action: 'api_key.updated',
        target: target.id,
        before: { perMinuteCap: 60 },
        after: { perMinuteCap: 90, validUntil: managementNow + 5 },
      },
    ]);
    expect(written[0]?.entry.before).toEqual({ perMinuteCap: 60 });
  });

  it('writes nothing when nothing changes', async () => {
    const { run, target, written } = prepare({ name: 'same' }, [{ name: 'same' }]);

    expect(await run()).toEqual(target);
    expect(written).toEqual([]);
  });

  it('makes the change again to what another request left', async () => {
    const outcomes = ['changed_meanwhile', 'stored'] as const;
    let tries = 0;
    const { run } = prepare({ name: 'new' }, [{ name: 'old' }], {
      change: async () => outcomes[tries++] ?? 'stored',
    });

    expect(await run()).toMatchObject({ name: 'new' });
    expect(tries).toBe(2);
  });

  it('gives up when others keep changing the key', async () => {
    const { run } = prepare({ name: 'new' }, [{}], { change: async () => 'changed_meanwhile' });

    expect((await serviceErrorOf(run)).code).toBe('concurrent_change');
  });

  it('gives a later version even when the clock stands still', async () => {
    const { run } = prepare({ name: 'new' }, [{ updatedAt: managementNow + 7 }]);

    expect(await run()).toMatchObject({ updatedAt: managementNow + 8 });
  });

  it('refuses to change a revoked key, and an expiry in the past', async () => {
    const revoked = prepare({ name: 'new' }, [{ revokedAt: managementNow }]);
    const past = prepare({ validUntil: managementNow }, [{}]);

    expect((await serviceErrorOf(revoked.run)).code).toBe('api_key_revoked');
    expect((await serviceErrorOf(past.run)).errors?.[0]?.path).toBe('validUntil');
  });

  it('revives an expired key that gets a new expiry', async () => {
    const validUntil = managementNow + 1;
    const { run } = prepare({ validUntil }, [{ validUntil: managementNow - 1 }]);

    expect(await run()).toMatchObject({ validUntil });
  });

  it('lets a manager give up its own scope while another key has it', async () => {
    const other = buildApiKey().apiKey.id;
    const { run, written } = prepare({ scopes: ['read_sends'] }, [], {
      findOtherManager: async () => other,
    });

    expect(await run()).toMatchObject({ scopes: ['read_sends'] });
    expect(written[0]?.change.witness).toEqual({ id: other, now: managementNow });
  });

  const managing = { scopes: ['manage_organization'] } satisfies KeySettings;
  const { signIn } = newSession(buildApiKey().apiKey, 'link', managementNow);

  it.each<[string, KeySettings, object, number]>([
    ['is renamed', managing, { name: 'laptop' }, 1],
    ['loses the scope to manage', managing, { scopes: ['read_sends'] }, 0],
    ['gets it back', { scopes: [] }, managing, 0],
    [
      'goes on after it had expired',
      { ...managing, validUntil: managementNow - 1 },
      { validUntil: managementNow + 1 },
      0,
    ],
  ])('ends the sessions of a key for good when they may not go on: it %s', async (...change) => {
    const [, before, body, left] = change;
    const { run } = prepare(body, [{ ...before, signIns: [signIn] }], {
      findOtherManager: async () => buildApiKey().apiKey.id,
    });

    expect((await run()).signIns ?? []).toHaveLength(left);
  });

  it('does not let the last manager give up its scope', async () => {
    const { run, written } = prepare({ scopes: [] }, [], {
      findOtherManager: async () => undefined,
    });

    expect((await serviceErrorOf(run)).code).toBe('last_manager_key');
    expect(written).toEqual([]);
  });

  it("does not find another organization's key", async () => {
    const { caller, management } = buildKeyManagement();
    const stranger = buildApiKey().apiKey;
    const request = { caller, path: { id: stranger.id }, body: { name: 'mine' } };
    const apiKeys = fakeApiKeys([stranger]);
    const run = () => updateApiKey(request, { ...management, apiKeys });

    expect((await serviceErrorOf(run)).code).toBe('api_key_not_found');
  });
});

describe('the request', () => {
  it.each([
    ['with nothing to change', {}],
    ['with no name', { name: null }],
    ['with a misspelt field', { scope: ['send_email'] }],
    ['with an id', { id: 'key_1' }],
  ])('%s is refused', (_what, body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });
});
