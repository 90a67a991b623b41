import { describe, expect, it } from 'vitest';
import { revokeApiKey } from '#shared/access/manage-api-keys';
import { managementNow, openKeyManagement } from '../../support/api-key-management-builder.ts';
import { callerWith } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

/** Revokes the key that the settings describe; without settings, the manager's own. */
async function prepare(...world: Parameters<typeof openKeyManagement>) {
  const opened = await openKeyManagement(...world);
  const { caller, target, management } = opened;
  const run = (query: { readonly leaked?: 'true' } = {}) =>
    revokeApiKey({ caller, path: { id: target.id }, query }, management);
  return { ...opened, run };
}

const managing = { scopes: ['manage_organization' as const] };

describe('revokeApiKey', () => {
  it('revokes a key now', async () => {
    const { run, target, storedKey } = await prepare([{ name: 'leaked' }]);

    await run();

    expect(await storedKey(target.id)).toMatchObject({ name: 'leaked', revokedAt: managementNow });
  });

  it('audits what the key was', async () => {
    const { run, target, apiKey, audit } = await prepare([{ name: 'leaked', perMinuteCap: 60 }]);

    await run();

    expect(await audit()).toMatchObject([
      {
        actor: apiKey.id,
        action: 'api_key.revoked',
        target: target.id,
        before: { name: 'leaked', scopes: [], perMinuteCap: 60 },
      },
    ]);
  });

  it('changes nothing about an already revoked key', async () => {
    const { run, items } = await prepare([{ revokedAt: managementNow - 5 }]);
    const before = items();

    await run();

    expect(items()).toEqual(before);
  });

  it('marks a key as leaked once, even if it is already revoked', async () => {
    const active = await prepare([{ name: 'billing' }]);
    const revoked = await prepare([{ revokedAt: managementNow - 5 }]);

    await active.run({ leaked: 'true' });
    for (let time = 1; time <= 2; time += 1) await revoked.run({ leaked: 'true' });

    const leaked = { leaked: true };
    expect(await active.storedKey(active.target.id)).toMatchObject({
      ...leaked,
      revokedAt: managementNow,
    });
    expect(await revoked.storedKey(revoked.target.id)).toMatchObject({
      ...leaked,
      revokedAt: managementNow - 5,
    });
    expect(await revoked.audit()).toMatchObject([{ action: 'api_key.revoked', after: leaked }]);
  });

  it('lets a manager revoke itself while there is another', async () => {
    const { run, apiKey, target, addKey, storedKey } = await prepare();
    await addKey(managing);

    await run();

    expect(target).toBe(apiKey);
    expect(await storedKey()).toMatchObject({ revokedAt: managementNow });
  });

  it.each([
    ['it is the only key', []],
    ['the other one may not manage', [{ scopes: ['send_email' as const] }]],
    ['the other one is revoked', [{ ...managing, revokedAt: managementNow - 1 }]],
    ['the other one has expired', [{ ...managing, validUntil: managementNow }]],
  ])('refuses to revoke the last manager, and says what to do: %s', async (_why, others) => {
    const { run, addKey, items } = await prepare();
    for (const other of others) await addKey(other);
    const before = items();

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('last_manager_key');
    expect(error.message).toContain('Rotate it, or create another');
    expect(items()).toEqual(before);
  });

  it('returns last_manager_key to the second of two managers that revoke each other', async () => {
    const { run, apiKey, target, management, beforeNextWrite, storedKey } = await prepare([
      managing,
    ]);
    const other = { caller: callerWith(target), path: { id: apiKey.id }, query: {} };
    beforeNextWrite(() => revokeApiKey(other, management));

    expect((await serviceErrorOf(run)).code).toBe('last_manager_key');

    expect(await storedKey(apiKey.id)).toHaveProperty('revokedAt');
    expect(await storedKey(target.id)).not.toHaveProperty('revokedAt');
  });
});
