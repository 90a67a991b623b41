import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { usageKey } from '#shared/table/keys';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { countUsage } from '#shared/usage/usage-store';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

async function readTotal(organizationId: OrganizationId, month: string) {
  const Key = usageKey(organizationId, month, 'global_endpoint_sends');
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key, ConsistentRead: true }),
  );
  return Item?.['total'];
}

describe('countUsage', () => {
  it('counts 50 sends at once one by one', async () => {
    const organizationId = newOrganizationId();
    const now = Date.UTC(2026, 5, 15);

    await Promise.all(
      Array.from({ length: 50 }, () =>
        countUsage(table, organizationId, 'global_endpoint_sends', now),
      ),
    );

    expect(await readTotal(organizationId, '2026-06')).toBe(50);
  });

  it('counts by the month in UTC', async () => {
    const organizationId = newOrganizationId();
    const newYear = Date.UTC(2027, 0, 1);

    await countUsage(table, organizationId, 'global_endpoint_sends', newYear - 1);
    await countUsage(table, organizationId, 'global_endpoint_sends', newYear);
    await countUsage(table, organizationId, 'global_endpoint_sends', newYear + 1);

    expect(await readTotal(organizationId, '2026-12')).toBe(1);
    expect(await readTotal(organizationId, '2027-01')).toBe(2);
  });

  it('counts each organization for itself', async () => {
    const [one, other] = [newOrganizationId(), newOrganizationId()];

    await countUsage(table, one, 'global_endpoint_sends', Date.UTC(2026, 5, 15));

    expect(await readTotal(other, '2026-06')).toBeUndefined();
  });
});
