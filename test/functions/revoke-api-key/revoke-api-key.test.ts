import { describe, expect, it } from 'vitest';
import { revokeApiKey } from '#shared/access/manage-api-keys';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildKeyManagement, managementNow } from '../../support/api-key-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

/** Revokes the key that the settings describe; without settings, the manager's own. */
function prepare(...world: Parameters<typeof buildKeyManagement>) {
  const built = buildKeyManagement(...world);
  const { manager, caller, others, management } = built;
  const target = (others[0] ?? manager).apiKey;
  const run = (query: { readonly leaked?: 'true' } = {}) =>
    revokeApiKey({ caller, path: { id: target.id }, query }, management);
  return { run, target, ...built };
}

describe('revokeApiKey', () => {
  it('revokes a key now', async () => {
    const { run, target, keys } = prepare([{ name: 'leaked' }]);

    await run();

    expect(keys.get(target.id)).toMatchObject({ name: 'leaked', revokedAt: managementNow });
  });

  it('audits what the key was', async () => {
    const { run, target, manager, written } = prepare([{ name: 'leaked', perMinuteCap: 60 }]);

    await run();

    expect(written.map(({ entry }) => entry)).toMatchObject([
      {
        actor: manager.apiKey.id,
        action: 'api_key.revoked',
        target: target.id,
        before: { name: 'leaked', scopes: [], perMinuteCap: 60 },
      },
    ]);
  });

  it('changes nothing about an already revoked key', async () => {
    const { run, written } = prepare([{ revokedAt: managementNow - 5 }]);

    await run();

    expect(written).toEqual([]);
  });

  it('marks a key as leaked once, even if it is already revoked', async () => {
    const active = prepare([{ name: 'billing' }]);
    const revoked = prepare([{ revokedAt: managementNow - 5 }]);

    await active.run({ leaked: 'true' });
    for (let time = 1; time <= 2; time += 1) await revoked.run({ leaked: 'true' });

    const leaked = { leaked: true };
    expect(active.keys.get(active.target.id)).toMatchObject({
      ...leaked,
      revokedAt: managementNow,
    });
    expect(revoked.keys.get(revoked.target.id)).toMatchObject({
      ...leaked,
      revokedAt: managementNow - 5,
    });
    expect(revoked.written.map(({ entry }) => entry)).toMatchObject([
      { action: 'api_key.revoked', after: leaked },
    ]);
  });

  it('lets a manager revoke itself while there is another', async () => {
    const other = buildApiKey().apiKey.id;
    const { run, target, manager, written } = prepare([], { findOtherManager: async () => other });

    await run();

    expect(target).toBe(manager.apiKey);
    expect(written[0]?.change.witness).toEqual({ id: other, now: managementNow });
  });

  it('refuses to revoke the last manager, and says what to do', async () => {
    const { run, written } = prepare([], { findOtherManager: async () => undefined });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('last_manager_key');
    expect(error.message).toContain('Rotate it, or create another');
    expect(written).toEqual([]);
  });

  it('returns last_manager_key to the second of two managers that revoke each other', async () => {
    const found = [buildApiKey().apiKey.id, undefined];
    const { run } = prepare([{ scopes: ['manage_organization'] }], {
      findOtherManager: async () => found.shift(),
      change: async () => 'changed_meanwhile',
    });

    expect((await serviceErrorOf(run)).code).toBe('last_manager_key');
  });
});
