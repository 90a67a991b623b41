import { describe, expect, it } from 'vitest';
import { getOrganization, putOrganization } from '#shared/organizations/organization-store';

import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
describe('an organization', () => {
  it('is read as it was stored', async () => {
    const policies = { news: { kind: 'bulk', categoryKey: 'news' } } as const;
    const organization = buildOrganization({ policies });

    await putOrganization(table, organization);

    expect(await getOrganization(table, organization.id)).toEqual(organization);
  });

  it('is stored without an identity as long as it has none', async () => {
    const { identity: _none, ...organization } = buildOrganization();

    await putOrganization(table, organization);

    expect(await getOrganization(table, organization.id)).toEqual(organization);
  });

  it('is never overwritten', async () => {
    const organization = buildOrganization();
    await putOrganization(table, organization);

    await expect(
      putOrganization(table, { ...organization, name: 'Another Ltd' }),
    ).rejects.toThrow();
    expect(await getOrganization(table, organization.id)).toEqual(organization);
  });

  it('that was never made is not there', async () => {
    expect(await getOrganization(table, newOrganizationId())).toBeUndefined();
  });
});
