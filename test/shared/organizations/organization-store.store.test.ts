import { describe, expect, it } from 'vitest';
import { openOrganizationStore } from '#shared/organizations/organization-store';

import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const organizationStore = openOrganizationStore(table);

describe('an organization', () => {
  it('is read as it was stored', async () => {
    const policies = { news: { kind: 'bulk', categoryKey: 'news' } } as const;
    const organization = buildOrganization({ policies });

    await organizationStore.put(organization);

    expect(await organizationStore.get(organization.id)).toEqual(organization);
  });

  it('is stored without an identity as long as it has none', async () => {
    const { identity: _none, ...organization } = buildOrganization();

    await organizationStore.put(organization);

    expect(await organizationStore.get(organization.id)).toEqual(organization);
  });

  it('is never overwritten', async () => {
    const organization = buildOrganization();
    await organizationStore.put(organization);

    await expect(organizationStore.put({ ...organization, name: 'Another Ltd' })).rejects.toThrow();
    expect(await organizationStore.get(organization.id)).toEqual(organization);
  });

  it('that was never made is not there', async () => {
    expect(await organizationStore.get(newOrganizationId())).toBeUndefined();
  });
});
