import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { sortableTime } from '#shared/table/keys';
import { readInRounds } from '#shared/table/list-rounds';
import type { StoredItem } from '#shared/table/table-client';
import { newNonce } from '#shared/tokens/resource-id';
import { openStoreTable, storeItems } from '../../support/store-table.ts';

const table = openStoreTable();

const shards = 4;
const partitionsOf = (list: string) =>
  Array.from({ length: shards }, (_, shard) => `${list}#${shard}`);

const positionAt = (at: number) => `${sortableTime(at)}#${`${at}`.padStart(8, '0')}`;

/** Entry 1 is a millisecond old, and so on; `shardOf` says where each is. */
async function storeList(shardOf: readonly number[], padding = '') {
  const list = `ROUNDS#${newNonce()}`;
  const items = shardOf.map(
    (shard, at): StoredItem => ({
      pk: list,
      sk: `${at}`,
      gsi2pk: `${list}#${shard}`,
      gsi2sk: positionAt(at),
      subject: `${at}${padding}`,
    }),
  );
  await storeItems(table, items);
  const lists = [
    { index: 'gsi2', partitions: partitionsOf(list), positionSchema: z.string() },
  ] as const;
  const read = async (sizes: readonly number[], span: Parameters<typeof readInRounds>[2] = {}) => {
    const rounds = [];
    for await (const round of readInRounds(table, lists, span, sizes)) rounds.push(round);
    return rounds;
  };
  const newestFirst = shardOf.map((_, at) => positionAt(at)).reverse();
  return { read, newestFirst };
}

type Rounds = Awaited<ReturnType<Awaited<ReturnType<typeof storeList>>['read']>>;
const positionsIn = (rounds: Rounds) =>
  rounds.flatMap(({ entries }) => entries.map(({ position }) => position));

describe('the rounds of a list', () => {
  it('together have every entry once, newest first, however the shards are filled', async () => {
    const distributions = fc.array(
      fc.oneof(fc.nat(shards - 1), fc.constant(0), fc.constant(shards - 1)),
      { maxLength: 60 },
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(distributions, sizes, async (shardOf, each) => {
        const { read, newestFirst } = await storeList(shardOf);

        const seen: string[] = [];
        let before: string | undefined;
        for (let isEnd = false; !isEnd; ) {
          const rounds = await read(each, { before });
          seen.push(...positionsIn(rounds));
          before = seen.at(-1);
          isEnd = rounds.at(-1)?.isEnd ?? false;
        }

        expect(seen).toEqual(newestFirst);
      }),
      { numRuns: 40 },
    );
  });

  it('stay between the times asked for', async () => {
    const { read, newestFirst } = await storeList([0, 1, 2, 3, 0, 1, 2, 3]);

    const some = await read([10], { since: 2, before: sortableTime(6) });
    const none = await read([10], { since: 6, before: sortableTime(2) });

    expect(positionsIn(some)).toEqual(newestFirst.slice(2, 6));
    expect(none).toEqual([{ entries: [], isEnd: true }]);
  });

  it('show what the index projects of an item', async () => {
    const { read } = await storeList([1]);

    const [round] = await read([5]);

    expect(round?.entries.map(({ item }) => item['subject'])).toEqual(['0']);
  });

  it('end after a page that DynamoDB cut at 1 MB', async () => {
    const { read } = await storeList(
      Array.from({ length: 12 }, () => 0),
      'x'.repeat(200_000),
    );

    const rounds = await read([10, 10, 10]);

    expect(rounds).toHaveLength(1);
    expect(rounds[0]?.isEnd).toBe(false);
    expect(positionsIn(rounds).length).toBeLessThan(10);
  });
});
