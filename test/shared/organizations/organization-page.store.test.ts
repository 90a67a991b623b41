import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { storeOrganizationDeletion } from '#shared/identity/organization-deletion-store';
import type { Organization } from '#shared/organizations/organization';
import {
  organizationPositionSchema,
  putOrganization,
  readOrganizationPage,
} from '#shared/organizations/organization-store';
import { sortableTime } from '#shared/table/keys';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
/** Every test has a time of its own: the list is one for the whole table. */
let hour = Date.UTC(2040, 0, 1) + Math.floor(Math.random() * 1e6) * 3_600_000;

async function storedOrganizations(count: number) {
  hour += 3_600_000;
  const all = Array.from({ length: count }, (_, index) =>
    buildOrganization({ createdAt: hour + index }),
  );
  for (const organization of all) await putOrganization(table, organization);
  const before = organizationPositionSchema.parse(
    `${sortableTime(hour + count)}#${newOrganizationId()}`,
  );
  return { all, before };
}

const idsOf = (organizations: readonly Organization[]) => organizations.map(({ id }) => id);

describe('the list of organizations', () => {
  it('has them newest first, page by page', async () => {
    const { all, before } = await storedOrganizations(3);
    const [first, second, third] = idsOf(all);

    const page = await readOrganizationPage(table, { before, limit: 2 });
    const rest = await readOrganizationPage(table, { before: page.next, limit: 1 });

    expect(idsOf(page.organizations)).toEqual([third, second]);
    expect(idsOf(rest.organizations)).toEqual([first]);
  });

  it('has each whole, as it is stored', async () => {
    const { all, before } = await storedOrganizations(1);

    const { organizations } = await readOrganizationPage(table, { before, limit: 1 });

    expect(organizations).toEqual(all);
  });

  it('has none that was deleted', async () => {
    const { all, before } = await storedOrganizations(2);
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error('There are two');
    const change = { action: 'organization.deleted', target: second.id };
    await storeOrganizationDeletion(
      table,
      second,
      [],
      newAuditEntry(second.id, 'operator', change, hour),
    );

    const { organizations } = await readOrganizationPage(table, { before, limit: 1 });

    expect(idsOf(organizations)).toEqual([first.id]);
  });
});
