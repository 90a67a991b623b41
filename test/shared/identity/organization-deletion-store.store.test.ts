import { describe, expect, it } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries } from '#shared/audit/audit-store';
import { afterDeletion } from '#shared/identity/delete-organization';
import { storeIdentityChange } from '#shared/identity/identity-store';
import {
  getDeletedOrganization,
  getOrganizationWithIdentities,
  storeOrganizationDeletion,
} from '#shared/identity/organization-deletion-store';
import { getLinkDomainOwner } from '#shared/organizations/link-domain-store';
import type { Organization } from '#shared/organizations/organization';
import {
  getOrganization,
  putOrganization,
  replaceOrganization,
} from '#shared/organizations/organization-store';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { readApiKey } from '../../support/stored-api-key.ts';

const table = openStoreTable();
const now = Date.UTC(2026, 10, 21);

const entryOf = (id: OrganizationId) =>
  newAuditEntry(id, 'operator', { action: 'organization.deleted', target: id }, now);

const auditOf = async (id: OrganizationId) =>
  (await listAuditEntries(table, id, { before: undefined, limit: 10 }, now)).entries;

async function stored(): Promise<Organization> {
  const organization = buildOrganization();
  await putOrganization(table, organization);
  return organization;
}

describe('deleting an organization', () => {
  const markOf = ({ id, name }: Organization) => ({ id, name, deletedAt: now });

  it('removes the organization, leaves a mark and invalidates its keys', async () => {
    const organization = await stored();
    const { apiKey } = buildApiKey({ organizationId: organization.id });
    await putApiKey(table, apiKey);
    const mark = markOf(organization);

    expect(await storeOrganizationDeletion(table, mark, [], entryOf(organization.id))).toBe(
      'deleted',
    );

    expect(await getOrganization(table, organization.id)).toBeUndefined();
    expect(await getDeletedOrganization(table, organization.id)).toEqual(mark);
    expect(await readApiKey(table, apiKey.id)).toBeUndefined();
  });

  it('frees its link domains in the same write, and leaves other organizations’ alone', async () => {
    const [one, other] = [await stored(), await stored()];
    const hosts = { linkDomain: `${one.id}.example`, formerLinkDomains: [`old-${one.id}.example`] };
    const having = { ...one, ...hosts };
    await replaceOrganization(table, one, having, entryOf(one.id));
    await replaceOrganization(
      table,
      other,
      { ...other, linkDomain: `${other.id}.example` },
      entryOf(other.id),
    );

    await storeOrganizationDeletion(table, having, [], entryOf(one.id));

    const owners = [hosts.linkDomain, ...hosts.formerLinkDomains, `${other.id}.example`].map(
      (host) => getLinkDomainOwner(table, host),
    );
    expect(await Promise.all(owners)).toEqual([undefined, undefined, other.id]);
  });

  it('does nothing when the organization was renamed in between', async () => {
    const organization = await stored();
    const mark = { ...markOf(organization), name: 'Other' };

    const outcome = await storeOrganizationDeletion(table, mark, [], entryOf(organization.id));

    expect(outcome).toBe('changed_meanwhile');
    expect(await getOrganization(table, organization.id)).toEqual(organization);
    expect(await getDeletedOrganization(table, organization.id)).toBeUndefined();
  });

  it('succeeds for only one of two concurrent calls', async () => {
    const organization = await stored();
    const remove = () =>
      storeOrganizationDeletion(table, markOf(organization), [], entryOf(organization.id));

    const outcomes = await Promise.all([remove(), remove()]);

    expect(outcomes.toSorted()).toEqual(['changed_meanwhile', 'deleted']);
    expect(await auditOf(organization.id)).toHaveLength(1);
  });

  it("isn't undone by a concurrent change to the organization", async () => {
    const organization = await stored();
    await storeOrganizationDeletion(table, markOf(organization), [], entryOf(organization.id));

    const after = { ...organization, paused: true, updatedAt: organization.updatedAt + 1 };
    const outcome = await replaceOrganization(table, organization, after, entryOf(organization.id));

    expect(outcome).toBe('changed_meanwhile');
    expect(await getOrganization(table, organization.id)).toBeUndefined();
  });

  it('schedules all of its domains for removal from SES, or none', async () => {
    const organization = await stored();
    const { id } = organization;
    const identity = { organizationId: id, removing: [], updatedAt: 1 };
    await storeIdentityChange(table, { before: undefined, after: identity }, {});
    const identities = afterDeletion(organization, [identity], now);
    const stale = { before: identities[0]?.after, after: identity };

    const refused = await storeOrganizationDeletion(
      table,
      markOf(organization),
      [stale],
      entryOf(id),
    );
    const existing = await getOrganizationWithIdentities(table, id);
    const outcome = await storeOrganizationDeletion(
      table,
      markOf(organization),
      identities,
      entryOf(id),
    );

    expect([refused, outcome]).toEqual(['changed_meanwhile', 'deleted']);
    expect(existing).toEqual({ organization, identities: [identity] });
    expect(await getOrganizationWithIdentities(table, id)).toEqual({
      organization: undefined,
      identities: [expect.objectContaining({ removing: [organization.identity?.domain] })],
    });
  });
});
