import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { putNewOrganization, toOrganization } from '#shared/organizations/organization-store';
import { organizationKey } from '#shared/table/keys';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

async function read(id: OrganizationId) {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: organizationKey(id), ConsistentRead: true }),
  );
  return Item && toOrganization(Item);
}

describe('an organization', () => {
  it('is read as it was stored', async () => {
    const policies = { news: { kind: 'bulk', categoryKey: 'news' } } as const;
    const organization = buildOrganization({ policies });

    await putNewOrganization(table, organization);

    expect(await read(organization.id)).toEqual(organization);
  });

  it('is stored without an identity as long as it has none', async () => {
    const { identity: _none, ...organization } = buildOrganization();

    await putNewOrganization(table, organization);

    expect(await read(organization.id)).toEqual(organization);
  });

  it('is never overwritten', async () => {
    const organization = buildOrganization();
    await putNewOrganization(table, organization);

    await expect(
      putNewOrganization(table, { ...organization, name: 'Another Ltd' }),
    ).rejects.toThrow();
    expect(await read(organization.id)).toEqual(organization);
  });
});
