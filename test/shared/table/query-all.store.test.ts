import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { queryAll } from '#shared/table/reads';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

/** Stores items under these sort keys, each with a text of its length, in a partition of their own. */
async function storeItems(sortKeys: readonly string[], textLength = 1): Promise<string> {
  const pk = `ORG#${newOrganizationId()}`;
  for (const sk of sortKeys) {
    const Item = { pk, sk, text: 'x'.repeat(textLength) };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
  return pk;
}

const sortKeysOf = (items: readonly Readonly<Record<string, unknown>>[]) =>
  items.map(({ sk }) => sk);

describe('the items of a partition', () => {
  it('are read in the order of their sort keys', async () => {
    const pk = await storeItems(['B#2', 'A#1', 'B#1']);

    const items = await queryAll(table, { pk });

    expect(sortKeysOf(items)).toEqual(['A#1', 'B#1', 'B#2']);
  });

  it('are read without those of other prefixes', async () => {
    const pk = await storeItems(['B#2', 'A#1', 'B#1', 'C#1']);

    const items = await queryAll(table, { pk, skPrefix: 'B#' });

    expect(sortKeysOf(items)).toEqual(['B#1', 'B#2']);
  });

  it('are all read, also past the megabyte that one Query answers', async () => {
    const pk = await storeItems(['1', '2', '3', '4'], 350_000);

    const items = await queryAll(table, { pk });

    expect(sortKeysOf(items)).toEqual(['1', '2', '3', '4']);
  });

  it('are none where nothing was stored', async () => {
    expect(await queryAll(table, { pk: `ORG#${newOrganizationId()}` })).toEqual([]);
  });
});
