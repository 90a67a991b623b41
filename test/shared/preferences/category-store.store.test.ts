import { describe, expect, it } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries } from '#shared/audit/audit-store';
import type { Organization } from '#shared/organizations/organization';
import {
  getOrganization,
  putOrganization,
  replaceOrganization,
} from '#shared/organizations/organization-store';
import {
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  putCategory,
  renameCategory,
} from '#shared/preferences/category-store';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = Date.UTC(2026, 10, 21);
const news = { key: 'news', name: 'News' };

const entryOf = (id: OrganizationId, action: string) =>
  newAuditEntry(id, 'operator', { action, target: 'news' }, now);

const auditOf = async (id: OrganizationId) =>
  (await listAuditEntries(table, id, { before: undefined, limit: 10 }, now)).entries.map(
    ({ action }) => action,
  );

async function withCategory(): Promise<Organization> {
  const organization = buildOrganization();
  await putOrganization(table, organization);
  await createCategory(table, organization.id, news, entryOf(organization.id, 'created'));
  return organization;
}

const naming = (organization: Organization): Organization => ({
  ...organization,
  policies: { letters: { kind: 'bulk', categoryKey: 'news' } },
  updatedAt: organization.updatedAt + 1,
});

const name = (organization: Organization) =>
  replaceOrganization(table, organization, naming(organization), entryOf(organization.id, 'named'));

const remove = (organization: Organization) =>
  deleteCategory(table, organization, news, entryOf(organization.id, 'deleted'));

describe('categories', () => {
  it('are listed by key, and nothing else of the organization is', async () => {
    const organizationId = newOrganizationId();
    await putApiKey(table, buildApiKey({ organizationId }).apiKey);
    await putCategory(table, organizationId, { key: 'offers', name: 'Offers' });
    await putCategory(table, organizationId, { key: 'news', name: 'News' });

    expect(await listCategories(table, organizationId)).toEqual([
      { key: 'news', name: 'News' },
      { key: 'offers', name: 'Offers' },
    ]);
  });

  it('are an empty list at first', async () => {
    expect(await listCategories(table, newOrganizationId())).toEqual([]);
  });

  it('are never overwritten', async () => {
    const organizationId = newOrganizationId();
    await putCategory(table, organizationId, { key: 'news', name: 'News' });

    await expect(
      putCategory(table, organizationId, { key: 'news', name: 'Other' }),
    ).rejects.toThrow();
    expect(await listCategories(table, organizationId)).toEqual([{ key: 'news', name: 'News' }]);
  });
});

describe('a category', () => {
  it('is stored once under its key, and audited', async () => {
    const { id } = await withCategory();

    const again = await createCategory(table, id, { ...news, name: 'Other' }, entryOf(id, 'again'));

    expect(again).toBe('key_taken');
    expect(await getCategory(table, id, 'news')).toEqual(news);
    expect(await listCategories(table, id)).toEqual([news]);
    expect(await auditOf(id)).toEqual(['created']);
  });

  it('is not stored for an organization that is not there', async () => {
    const { id } = buildOrganization();

    await expect(createCategory(table, id, news, entryOf(id, 'created'))).rejects.toThrow();

    expect(await getCategory(table, id, 'news')).toBeUndefined();
  });

  it('is renamed by one of two that come at the same moment', async () => {
    const { id } = await withCategory();
    const rename = (to: string) =>
      renameCategory(table, id, news, { ...news, name: to }, entryOf(id, 'renamed'));

    const outcomes = await Promise.all([rename('One'), rename('Other')]);

    expect(outcomes.toSorted()).toEqual(['changed_meanwhile', 'stored']);
    expect((await auditOf(id)).toSorted()).toEqual(['created', 'renamed']);
  });

  it('that is gone is not brought back by a new name', async () => {
    const organization = await withCategory();
    await remove(organization);
    const { id } = organization;

    const outcome = await renameCategory(table, id, news, { ...news, name: 'X' }, entryOf(id, 'x'));

    expect(outcome).toBe('changed_meanwhile');
    expect(await getCategory(table, id, 'news')).toBeUndefined();
  });
});

describe('a category and a policy that names it', () => {
  it('the category is not deleted by a request that has not seen the policy', async () => {
    const organization = await withCategory();
    await name(organization);

    expect(await remove(organization)).toBe('changed_meanwhile');
    expect(await getCategory(table, organization.id, 'news')).toEqual(news);
  });

  it('the policy is not stored when the category is gone', async () => {
    const organization = await withCategory();
    await remove(organization);

    expect(await name(organization)).toBe('changed_meanwhile');
    expect(await getOrganization(table, organization.id)).toEqual(organization);
  });

  it('exactly one succeeds if both are attempted at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const organization = await withCategory();

      const outcomes = await Promise.all([name(organization), remove(organization)]);

      const after = await getOrganization(table, organization.id);
      const isNamed = after?.policies['letters'] !== undefined;
      const isThere = (await getCategory(table, organization.id, 'news')) !== undefined;
      expect([isNamed, isThere]).toEqual(isNamed ? [true, true] : [false, false]);
      expect(outcomes.filter((outcome) => outcome === 'changed_meanwhile')).toHaveLength(1);
    }
  });

  it('a policy that stays as it is does not ask for its category', async () => {
    const organization = buildOrganization({
      policies: { old: { kind: 'bulk', categoryKey: 'gone' } },
    });
    await putOrganization(table, organization);
    const { id, updatedAt } = organization;
    const after: Organization = {
      ...organization,
      policies: { ...organization.policies, receipts: { kind: 'transactional' } },
      updatedAt: updatedAt + 1,
    };

    expect(await replaceOrganization(table, organization, after, entryOf(id, 'put'))).toBe(
      'stored',
    );
    expect(await getOrganization(table, id)).toEqual(after);
  });
});
