import { describe, expect, it } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { updateApiKey } from '#shared/access/manage-api-keys';
import { newSession } from '#shared/access/sign-in';
import { putOrganization } from '#shared/organizations/organization-store';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { endpoint } from '../../../functions/update-api-key/update-api-key.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { managementNow, openKeyManagement } from '../../support/api-key-management-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type KeySettings = Parameters<typeof buildApiKey>[0];

/** Changes the key that the settings describe; without settings, the manager's own. */
async function prepare(body: unknown, ...world: Parameters<typeof openKeyManagement>) {
  const opened = await openKeyManagement(...world);
  const { caller, target, management } = opened;
  const request = { caller, path: { id: target.id }, body: endpoint.body.parse(body) };
  const run = () => updateApiKey(request, management);
  return { ...opened, run };
}

const managing = { scopes: ['manage_organization'] } satisfies KeySettings;

describe('updateApiKey', () => {
  it('changes the given fields and keeps the others', async () => {
    const before = { name: 'old', scopes: ['send_email' as const], perMinuteCap: 60 };
    const { run, target } = await prepare({ name: 'new', perMinuteCap: 90 }, [before]);

    expect(await run()).toEqual({
      ...target,
      name: 'new',
      perMinuteCap: 90,
      updatedAt: managementNow,
    });
  });

  it('changes another field of a test key with a scope of a newer version', async () => {
    const before = { test: true as const, scopes: ['send_email', 'domains_manage'] };
    const { run } = await prepare({ name: 'new' }, [before]);

    expect(await run()).toMatchObject({ ...before, name: 'new' });
  });

  it('removes a cap and the expiry with null', async () => {
    const before = { perMinuteCap: 60, dailyCap: 9, validUntil: managementNow + 1 };
    const { run } = await prepare({ perMinuteCap: null, dailyCap: null, validUntil: null }, [
      before,
    ]);

    const after = await run();

    expect(after).not.toHaveProperty('perMinuteCap');
    expect(after).not.toHaveProperty('dailyCap');
    expect(after).not.toHaveProperty('validUntil');
  });

  it('records in the audit the fields that changed, before and after', async () => {
    const body = { name: 'old', perMinuteCap: 90, validUntil: managementNow + 5 };
    const { run, apiKey, target, audit } = await prepare(body, [{ name: 'old', perMinuteCap: 60 }]);

    await run();

    const entries = await audit();
    expect(entries).toMatchObject([
      {
        actor: apiKey.id,
        action: 'api_key.updated',
        target: target.id,
        before: { perMinuteCap: 60 },
        after: { perMinuteCap: 90, validUntil: managementNow + 5 },
      },
    ]);
    expect(entries[0]?.before).toEqual({ perMinuteCap: 60 });
  });

  it('writes nothing when nothing changes', async () => {
    const { run, target, items } = await prepare({ name: 'same' }, [{ name: 'same' }]);
    const before = items();

    expect(await run()).toEqual(target);
    expect(items()).toEqual(before);
  });

  it('makes the change again to what another request left', async () => {
    const { run, target, changeKey, beforeNextWrite, storedKey } = await prepare({ name: 'new' }, [
      { name: 'old' },
    ]);
    beforeNextWrite(() => changeKey({ perMinuteCap: 7, updatedAt: managementNow }, target.id));

    await run();

    expect(await storedKey(target.id)).toMatchObject({ name: 'new', perMinuteCap: 7 });
  });

  it('gives up when others keep changing the key', async () => {
    const { run, target, changeKey, beforeNextWrite } = await prepare({ name: 'new' }, [{}]);
    const changes = [1, 2, 3].map((time) => () => changeKey({ updatedAt: time }, target.id));
    beforeNextWrite(...changes);

    expect((await serviceErrorOf(run)).code).toBe('concurrent_change');
  });

  it('gives a later version even when the clock stands still', async () => {
    const { run } = await prepare({ name: 'new' }, [{ updatedAt: managementNow + 7 }]);

    expect(await run()).toMatchObject({ updatedAt: managementNow + 8 });
  });

  it('refuses to change a revoked key, and an expiry in the past', async () => {
    const revoked = await prepare({ name: 'new' }, [{ revokedAt: managementNow }]);
    const past = await prepare({ validUntil: managementNow }, [{}]);

    expect((await serviceErrorOf(revoked.run)).code).toBe('api_key_revoked');
    expect((await serviceErrorOf(past.run)).errors?.[0]?.path).toBe('validUntil');
  });

  it('revives an expired key that gets a new expiry', async () => {
    const validUntil = managementNow + 1;
    const { run } = await prepare({ validUntil }, [{ validUntil: managementNow - 1 }]);

    expect(await run()).toMatchObject({ validUntil });
  });

  it('lets a manager give up its own scope while another key has it', async () => {
    const { run, addKey, storedKey } = await prepare({ scopes: ['read_sends'] });
    await addKey(managing);

    await run();

    expect(await storedKey()).toMatchObject({ scopes: ['read_sends'] });
  });

  it('keeps the scope of a manager if the other one gives it up at the same moment', async () => {
    const { run, addKey, changeKey, beforeNextWrite, storedKey } = await prepare({ scopes: [] });
    const { apiKey: other } = await addKey(managing);
    beforeNextWrite(() => changeKey({ scopes: [] }, other.id));

    expect((await serviceErrorOf(run)).code).toBe('last_manager_key');

    expect(await storedKey()).toMatchObject(managing);
  });

  const { signIn } = newSession(buildApiKey().apiKey, { by: 'link' }, managementNow);

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
    const { run } = await prepare(body, [{ ...before, signIns: [signIn] }]);

    expect((await run()).signIns ?? []).toHaveLength(left);
  });

  it('does not let the last manager give up its scope', async () => {
    const { run, items } = await prepare({ scopes: [] });
    const before = items();

    expect((await serviceErrorOf(run)).code).toBe('last_manager_key');
    expect(items()).toEqual(before);
  });

  it("does not find another organization's key", async () => {
    const { caller, management } = await openKeyManagement();
    const stranger = buildApiKey().apiKey;
    await putOrganization(
      management.table,
      buildOrganization({ id: organizationIdOf(stranger.id) }),
    );
    await putApiKey(management.table, stranger);
    const request = { caller, path: { id: stranger.id }, body: { name: 'mine' } };

    const error = await serviceErrorOf(() => updateApiKey(request, management));

    expect(error.code).toBe('api_key_not_found');
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
