import { describe, expect, it } from 'vitest';
import { listAuditEntries } from '#shared/audit/audit-store';
import { deleteOrganization } from '#shared/identity/delete-organization';
import { getLinkDomainOwner } from '#shared/organizations/link-domain-store';
import { linkDomainsOf } from '#shared/organizations/link-domains';
import type { Organization } from '#shared/organizations/organization';
import { getOrganization, putOrganization } from '#shared/organizations/organization-store';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { updateOrganization } from '../../../functions/update-organization/update-organization.ts';
import {
  Death,
  doBefore,
  dyingTable,
  loseFirstAnswer,
  openDisturbedTable,
} from '../../support/disturbed-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = Date.UTC(2026, 10, 21);

/** An organization, and a link domain that nobody has. */
async function stored(): Promise<Organization & { readonly host: string }> {
  const organization = buildOrganization();
  await putOrganization(table, organization);
  return { ...organization, host: `${organization.id.replace('_', '-')}.localhost` };
}

const update = (
  { id }: Pick<Organization, 'id'>,
  body: Parameters<typeof updateOrganization>[0]['body'],
  on = table,
) =>
  updateOrganization(
    { caller: { actor: 'operator' }, path: { id }, body },
    {
      now: () => now,
      table: on,
      linkDomains: ['*.localhost'],
    },
  );

const remove = ({ id, name }: Organization, on = table) =>
  deleteOrganization(
    { caller: { actor: 'operator' }, path: { id }, query: { name } },
    { table: on, now: () => now },
  );

const ownerOf = (host: string) => getLinkDomainOwner(table, host);
const hostsOf = async (id: OrganizationId) =>
  linkDomainsOf((await getOrganization(table, id)) ?? {});
const auditOf = async (id: OrganizationId) =>
  (await listAuditEntries(table, id, { before: undefined, limit: 10 }, now)).entries;

const beforeWriting = (action: () => Promise<unknown>) =>
  openDisturbedTable(doBefore('TransactWriteItems', 0, action), openStoreTable);
const losingTheAnswer = (meanwhile?: () => Promise<unknown>) =>
  openDisturbedTable(loseFirstAnswer('TransactWriteItems', meanwhile), openStoreTable);

describe('a link domain that an operator gives', () => {
  it('goes to one of two organizations at once', async () => {
    const [{ host, ...one }, other] = await Promise.all([stored(), stored()]);

    const outcomes = await Promise.allSettled(
      [one, other].map((organization) => update(organization, { linkDomain: host })),
    );

    const [winner, loser] = outcomes[0]?.status === 'fulfilled' ? [one, other] : [other, one];
    expect(outcomes).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'link_domain_taken' }),
    });
    expect(await ownerOf(host)).toBe(winner.id);
    expect(await Promise.all([winner.id, loser.id].map(hostsOf))).toEqual([[host], []]);
    expect(await auditOf(loser.id)).toEqual([]);
  });

  it('is refused when another organization gets it between look and write', async () => {
    const [{ host, ...one }, other] = await Promise.all([stored(), stored()]);

    const late = update(
      one,
      { linkDomain: host },
      beforeWriting(() => update(other, { linkDomain: host })),
    );

    await expect(late).rejects.toMatchObject({ code: 'link_domain_taken' });
    expect(await ownerOf(host)).toBe(other.id);
    expect(await hostsOf(one.id)).toEqual([]);
  });

  it('stays beside the one that a second operator gives the organization at once', async () => {
    const one = await stored();
    const second = `second-${one.host}`;

    await update(
      one,
      { linkDomain: one.host },
      beforeWriting(() => update(one, { linkDomain: second })),
    );

    expect(await hostsOf(one.id)).toEqual([one.host, second]);
    expect(await Promise.all([one.host, second].map(ownerOf))).toEqual([one.id, one.id]);
  });

  it('is given once when the answer is lost, or the request repeated', async () => {
    const { host, ...one } = await stored();

    const answers = [
      await update(one, { linkDomain: host }, losingTheAnswer()),
      await update(one, { linkDomain: host }),
    ];

    expect(answers[1]).toEqual(answers[0]);
    expect(await ownerOf(host)).toBe(one.id);
    expect(await hostsOf(one.id)).toEqual([host]);
    expect(await auditOf(one.id)).toHaveLength(1);
  });

  it('is free when the organization is deleted before the write', async () => {
    const { host, ...one } = await stored();

    const late = update(
      one,
      { linkDomain: host },
      beforeWriting(() => remove(one)),
    );

    await expect(late).rejects.toMatchObject({ code: 'organization_not_found' });
    expect(await ownerOf(host)).toBeUndefined();
  });

  it('is for the next when the organization was deleted as it got it, even after a death', async () => {
    const [{ host, ...one }, next] = await Promise.all([stored(), stored()]);
    await remove(
      one,
      beforeWriting(() => update(one, { linkDomain: host })),
    );
    const left = await ownerOf(host);

    const dying = update(next, { linkDomain: host }, dyingTable(2, openStoreTable));
    await expect(dying).rejects.toThrow(Death);
    await update(next, { linkDomain: host });

    expect(left).toBe(one.id);
    expect(await ownerOf(host)).toBe(next.id);
  });

  it('of a deleted organization is freed for the first to ask, and never taken from that one', async () => {
    const [{ host, ...deleted }, first, second] = await Promise.all([stored(), stored(), stored()]);
    await remove(
      deleted,
      beforeWriting(() => update(deleted, { linkDomain: host })),
    );
    const freeing = doBefore('DeleteItem', 0, () => update(first, { linkDomain: host }));

    const late = update(second, { linkDomain: host }, openDisturbedTable(freeing, openStoreTable));

    await expect(late).rejects.toMatchObject({ code: 'link_domain_taken' });
    expect(await ownerOf(host)).toBe(first.id);
    expect(await hostsOf(first.id)).toEqual([host]);
  });
});

describe('a link domain that an organization gives back', () => {
  const giveBack = { linkDomain: null, formerLinkDomains: [] };

  it('is for another at once, which keeps it when the answer is lost and the write repeated', async () => {
    const [{ host, ...one }, other] = await Promise.all([stored(), stored()]);
    await update(one, { linkDomain: host });

    await update(
      one,
      giveBack,
      losingTheAnswer(() => update(other, { linkDomain: host })),
    );

    expect(await ownerOf(host)).toBe(other.id);
    expect(await Promise.all([one.id, other.id].map(hostsOf))).toEqual([[], [host]]);
  });

  it('is not taken from the next by a deletion that knew it before', async () => {
    const [{ host, ...one }, other] = await Promise.all([stored(), stored()]);
    await update(one, { linkDomain: host });

    const late = remove(
      one,
      beforeWriting(async () => {
        await update(one, giveBack);
        await update(other, { linkDomain: host });
      }),
    );

    await expect(late).rejects.toMatchObject({ code: 'concurrent_change' });
    expect(await ownerOf(host)).toBe(other.id);
    await remove(one);
    expect(await ownerOf(host)).toBe(other.id);
  });
});
