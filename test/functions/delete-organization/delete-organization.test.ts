import { describe, expect, it } from 'vitest';
import type { OrganizationManagementStore } from '#shared/organizations/organization-management-store';
import { deleteOrganization } from '../../../functions/delete-organization/delete-organization.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import {
  fakeOrganizationManagement,
  managementNow,
} from '../../support/organization-management-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organization = buildOrganization({ name: 'Example Ltd' });
const { id, name } = organization;
const mark = { id, name, deletedAt: managementNow };

function prepare(given: Partial<OrganizationManagementStore>) {
  const deleted: unknown[] = [];
  const management = fakeOrganizationManagement({
    get: async () => organization,
    delete: async (...args) => {
      deleted.push(args);
      return 'deleted';
    },
    ...given,
  });
  const run = (confirmed = name) => deleteOrganization(id, { name: confirmed }, management);
  return { run, deleted };
}

describe('deleteOrganization', () => {
  it('deletes the organization of that id and name, and says so in the audit', async () => {
    const { run, deleted } = prepare({});

    await run();

    const entry = { actor: 'operator', action: 'organization.deleted', target: id };
    expect(deleted).toEqual([[mark, expect.objectContaining(entry)]]);
  });

  it.each(['example ltd', 'Example Ltd ', ''])('deletes nothing by the name %j', async (other) => {
    const { run, deleted } = prepare({});

    const error = await serviceErrorOf(() => run(other));

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([{ path: 'name', message: "must be the organization's name" }]);
    expect(deleted).toEqual([]);
  });

  it('is done already when the answer to the first request was lost', async () => {
    const { run, deleted } = prepare({ get: async () => undefined, getDeleted: async () => mark });

    await run();

    expect(deleted).toEqual([]);
  });

  it('does not find an organization that never was', async () => {
    const { run } = prepare({ get: async () => undefined, getDeleted: async () => undefined });

    expect((await serviceErrorOf(run)).code).toBe('organization_not_found');
  });

  it('is done when another request deletes it at the same moment', async () => {
    const { run } = prepare({
      delete: async () => 'changed_meanwhile',
      getDeleted: async () => mark,
    });

    await expect(run()).resolves.toBeUndefined();
  });

  it('tells that the name was changed at the same moment', async () => {
    const { run } = prepare({
      delete: async () => 'changed_meanwhile',
      getDeleted: async () => undefined,
    });

    expect((await serviceErrorOf(run)).code).toBe('concurrent_change');
  });
});
