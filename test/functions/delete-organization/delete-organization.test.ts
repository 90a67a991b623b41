import { describe, expect, it } from 'vitest';
import { deleteOrganization } from '#shared/identity/delete-organization';
import { putVersion } from '#shared/identity/identity-items';
import {
  getDeletedOrganization,
  getOrganizationWithIdentities,
} from '#shared/identity/organization-deletion-store';
import type { Organization } from '#shared/organizations/organization';
import { getOrganization, putOrganization } from '#shared/organizations/organization-store';
import { transactWrite } from '#shared/table/writes';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { accountNow, openAccount } from '../../support/account.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const name = 'Example Ltd';

async function newWorld(given: Partial<Organization> = {}) {
  const account = await openAccount({ name, ...given });
  const { table, organizationId: id } = account;
  return {
    ...account,
    id,
    deleteBy: (confirmed: string) =>
      deleteOrganization(
        { caller: { actor: 'operator' }, path: { id }, query: { name: confirmed } },
        account,
      ),
    identities: async () => (await getOrganizationWithIdentities(table, id)).identities,
    deletions: async () =>
      (await account.audit()).filter(({ action }) => action === 'organization.deleted'),
  };
}

describe('deleteOrganization', () => {
  it('deletes the organization with that id and name, and audits it', async () => {
    const { table, id, deleteBy, stored, deletions } = await newWorld();

    await deleteBy(name);

    expect(await stored()).toBeUndefined();
    expect(await getDeletedOrganization(table, id)).toEqual({ id, name, deletedAt: accountNow });
    expect(await deletions()).toMatchObject([
      { actor: 'operator', target: id, before: { name }, at: accountNow },
    ]);
  });

  it('schedules its domains for removal from SES', async () => {
    const { table, id, organization, deleteBy, identities } = await newWorld();
    const identity = {
      organizationId: id,
      wanted: {
        domain: 'next.example',
        fromEmail: 'a@next.example',
        mailFromDomain: 'bounces.next.example',
        status: 'pending',
        createdAt: 1,
      },
      removing: ['old.example'],
      updatedAt: 7,
    } as const;
    const otherDomain = 'beside.example';
    const other = { ...identity.wanted, domain: otherDomain };
    const beside = { ...identity, otherDomain, wanted: other, removing: [] };
    const existing = [{ ...identity, removing: [...identity.removing] }, beside];
    await transactWrite(
      table,
      existing.map((after) => putVersion({ before: undefined, after })),
    );

    await deleteBy(name);

    const after = {
      organizationId: id,
      removing: ['old.example', 'next.example', organization.identity?.domain],
      nextCheckAt: accountNow + 60_000,
      updatedAt: accountNow,
    };
    expect(await identities()).toEqual([after, { ...after, otherDomain, removing: [otherDomain] }]);
  });

  it('schedules its tenant for removal from SES', async () => {
    const account = await newWorld();
    const { table } = account;
    const { identity: _, ...bare } = buildOrganization();
    const tenant = { sending: 'enabled' } as const;
    await putOrganization(table, { ...bare, tenant });

    await deleteOrganization(
      { caller: { actor: 'operator' }, path: { id: bare.id }, query: { name: bare.name } },
      account,
    );

    const { identities } = await getOrganizationWithIdentities(table, bare.id);
    expect(identities).toMatchObject([{ organizationId: bare.id, removing: [] }]);
  });

  it.each(['example ltd', 'Example Ltd ', ''])('deletes nothing by the name %j', async (other) => {
    const { organization, deleteBy, stored } = await newWorld();

    const error = await serviceErrorOf(() => deleteBy(other));

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([{ path: 'name', message: "must be the organization's name" }]);
    expect(await stored()).toEqual(organization);
  });

  it('changes nothing when a repeated request finds the organization deleted', async () => {
    const { clock, deleteBy, deletions, items } = await newWorld();
    await deleteBy(name);
    const before = items();
    clock.at += 1_000;

    await deleteBy(name);

    expect(items()).toEqual(before);
    expect(await deletions()).toHaveLength(1);
  });

  it("doesn't find an organization that never existed", async () => {
    const account = await newWorld();
    const caller = { actor: 'operator' } as const;
    const request = { caller, path: { id: newOrganizationId() }, query: { name } };

    const error = await serviceErrorOf(() => deleteOrganization(request, account));

    expect(error.code).toBe('organization_not_found');
  });

  it('succeeds when another request deletes it at the same moment', async () => {
    const { beforeNextWrite, deleteBy, remove, deletions } = await newWorld();
    beforeNextWrite(remove);

    await expect(deleteBy(name)).resolves.toBeUndefined();

    expect(await deletions()).toHaveLength(1);
  });

  it('returns a conflict when the name was changed at the same moment', async () => {
    const { table, id, beforeNextWrite, change, deleteBy } = await newWorld();
    beforeNextWrite(() => change({ name: 'Renamed Ltd' }));

    expect((await serviceErrorOf(() => deleteBy(name))).code).toBe('concurrent_change');

    expect(await getOrganization(table, id)).toMatchObject({ name: 'Renamed Ltd' });
  });
});
