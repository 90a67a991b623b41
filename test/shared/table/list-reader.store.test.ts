import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { listPositionOf } from '#shared/table/list-position';
import {
  type List,
  readListEntries,
  readListPage,
  readNewerEntries,
} from '#shared/table/list-reader';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const idSchema = z.string().check(z.regex(/^[a-z]$/));

const positionAt = (minute: number, id: string) => `${String(minute).padStart(15, '0')}#${id}`;

/** Stores entries, each given by its shard and its time. */
async function storeList(shards: number, entries: readonly (readonly [number, number, string])[]) {
  const pk = newOrganizationId();
  const list: List<string> = {
    index: 'gsi2',
    partitions: Array.from({ length: shards }, (_, shard) => `${pk} ${shard}`),
    positionSchema: listPositionOf(idSchema),
  };
  for (const [shard, minute, id] of entries) {
    const gsi2sk = positionAt(minute, id);
    const Item = { pk, sk: gsi2sk, gsi2pk: `${pk} ${shard}`, gsi2sk };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
  return list;
}

const idsOf = (entries: readonly { readonly position: string }[]) =>
  entries.map(({ position }) => position.slice(16)).join('');

describe('a list in several partitions', () => {
  const scattered = () =>
    storeList(3, [
      [0, 1, 'a'],
      [2, 2, 'b'],
      [2, 3, 'c'],
      [2, 4, 'd'],
      [1, 5, 'e'],
    ]);

  it('is read as one, newest first', async () => {
    const list = await scattered();

    const entries = await readListEntries(table, list, { before: undefined, limit: 10 });

    expect(idsOf(entries)).toBe('edcba');
  });

  it.each([
    [1, ['e', 'd', 'c', 'b', 'a']],
    [2, ['ed', 'cb', 'a']],
    [3, ['edc', 'ba']],
    [5, ['edcba']],
  ])('is read in pages of %i, with no empty page at the end', async (limit, expected) => {
    const list = await scattered();
    const pages: string[] = [];
    let before: string | undefined;

    do {
      const page = await readListPage(table, list, { before, limit });
      pages.push(idsOf(page.entries));
      before = page.next;
    } while (before !== undefined);

    expect(pages).toEqual(expected);
  });

  it('begins below a position, though no entry stands there', async () => {
    const list = await scattered();

    const range = { before: positionAt(4, 'c'), limit: 10 };

    expect(idsOf(await readListEntries(table, list, range))).toBe('cba');
  });

  it.each([
    [2, 'b', 1, 'c'],
    [2, 'b', 2, 'dc'],
    [2, 'b', 10, 'edc'],
    [5, 'e', 10, ''],
  ])(
    'is read back from minute %i: of the newer ones, the nearest',
    async (minute, id, limit, expected) => {
      const list = await scattered();

      const entries = await readNewerEntries(table, list, { after: positionAt(minute, id), limit });

      expect(idsOf(entries)).toBe(expected);
    },
  );
});

describe('a list of large items', () => {
  const most = 5;

  /** Items of 350 KB: one Query answers three. */
  async function storeLarge() {
    const pk = newOrganizationId();
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      const Item = { pk, sk: positionAt(index, id), text: 'x'.repeat(350_000) };
      await table.client.send(new PutCommand({ TableName: table.name, Item }));
    }
    const positionSchema = listPositionOf(idSchema);
    return { index: 'table', partitions: [pk], positionSchema } as const;
  }

  it('is read past the megabyte that one Query answers', async () => {
    const list = await storeLarge();

    const first = await readListPage(table, list, { before: undefined, limit: most - 1 });
    const rest = await readListPage(table, list, { before: first.next, limit: most - 1 });

    expect([idsOf(first.entries), idsOf(rest.entries)]).toEqual(['edcb', 'a']);
    expect(rest.next).toBeUndefined();
  });

  it('is read back past it too', async () => {
    const list = await storeLarge();

    const entries = await readNewerEntries(table, list, { after: positionAt(0, 'a'), limit: most });

    expect(idsOf(entries)).toBe('edcb');
  });
});

describe('a list', () => {
  it('without entries is one empty page', async () => {
    const list = await storeList(2, []);

    const page = await readListPage(table, list, { before: undefined, limit: 3 });

    expect(page).toEqual({ entries: [], next: undefined });
  });

  it('tells each entry with the keys of its item', async () => {
    const list = await storeList(1, [[0, 7, 'a']]);

    const [entry] = await readListEntries(table, list, { before: undefined, limit: 1 });

    expect(entry?.item).toMatchObject({ sk: positionAt(7, 'a'), gsi2sk: positionAt(7, 'a') });
  });
});
