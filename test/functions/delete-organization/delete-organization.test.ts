import { describe, expect, it } from 'vitest';
import { deleteOrganization } from '#shared/identity/deleted-owner';
import type { OrganizationDeletionStore } from '#shared/identity/organization-deletion-store';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const managementNow = 1_750_000_000_000;
const { identity: sending, ...bare } = buildOrganization({ name: 'Example Ltd' });
const organization = bare;
const nothing = { organization: undefined, identities: [] };
const { id, name } = organization;
const mark = { id, name, deletedAt: managementNow };

function prepare(given: Partial<OrganizationDeletionStore>) {
  const deleted: unknown[] = [];
  const organizations: OrganizationDeletionStore = {
    read: async () => ({ organization, identities: [] }),
    getDeleted: unexpected('organizations.getDeleted'),
    delete: async (...args) => {
      deleted.push(args);
      return 'deleted';
    },
    ...given,
  };
  const deletion = { now: () => managementNow, organizations };
  const run = (confirmed = name) =>
    deleteOrganization({ path: { id }, query: { name: confirmed } }, deletion);
  return { run, deleted };
}

describe('deleteOrganization', () => {
  it('deletes the organization with that id and name, and audits it', async () => {
    const { run, deleted } = prepare({});

    await run();

    const entry = { actor: 'operator', action: 'organization.deleted', target: id };
    expect(deleted).toEqual([
      [organization, [], expect.objectContaining({ ...entry, at: managementNow })],
    ]);
  });

  it('schedules its domains for removal from SES', async () => {
    const identity = {
      organizationId: id,
      wanted: {
        domain: 'next.example',
        fromEmail: 'a@next.example',
        mailFromDomain: 'bounces.next.example',
        status: 'pending',
      },
      removing: ['old.example'],
      updatedAt: 7,
    } as const;
    const other = { ...identity.wanted, domain: 'beside.example' };
    const beside = { ...identity, otherDomain: other.domain, wanted: other, removing: [] };
    const { run, deleted } = prepare({
      read: async () => ({
        organization: { ...organization, ...(sending && { identity: sending }) },
        identities: [{ ...identity, removing: [...identity.removing] }, beside],
      }),
    });

    await run();

    const after = {
      organizationId: id,
      removing: ['old.example', 'next.example', sending?.domain],
      nextCheckAt: managementNow + 60_000,
      updatedAt: managementNow,
    };
    const { otherDomain } = beside;
    const changes = [
      { before: identity, after },
      { before: beside, after: { ...after, otherDomain, removing: [otherDomain] } },
    ];
    expect(deleted).toEqual([[expect.objectContaining({ id, name }), changes, expect.anything()]]);
  });

  it('schedules its tenant for removal from SES', async () => {
    const tenant = { sending: 'enabled' } as const;
    const { run, deleted } = prepare({
      read: async () => ({ organization: { ...organization, tenant }, identities: [] }),
    });

    await run();

    const after = expect.objectContaining({ organizationId: id, removing: [] });
    expect(deleted).toEqual([
      [expect.objectContaining({ id, name }), [{ before: undefined, after }], expect.anything()],
    ]);
  });

  it.each(['example ltd', 'Example Ltd ', ''])('deletes nothing by the name %j', async (other) => {
    const { run, deleted } = prepare({});

    const error = await serviceErrorOf(() => run(other));

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([{ path: 'name', message: "must be the organization's name" }]);
    expect(deleted).toEqual([]);
  });

  it('changes nothing when a repeated request finds the organization deleted', async () => {
    const { run, deleted } = prepare({ read: async () => nothing, getDeleted: async () => mark });

    await run();

    expect(deleted).toEqual([]);
  });

  it("doesn't find an organization that never existed", async () => {
    const { run } = prepare({ read: async () => nothing, getDeleted: async () => undefined });

    expect((await serviceErrorOf(run)).code).toBe('organization_not_found');
  });

  it('succeeds when another request deletes it at the same moment', async () => {
    const { run } = prepare({
      delete: async () => 'changed_meanwhile',
      getDeleted: async () => mark,
    });

    await expect(run()).resolves.toBeUndefined();
  });

  it('returns a conflict when the name was changed at the same moment', async () => {
    const { run } = prepare({
      delete: async () => 'changed_meanwhile',
      getDeleted: async () => undefined,
    });

    expect((await serviceErrorOf(run)).code).toBe('concurrent_change');
  });
});
