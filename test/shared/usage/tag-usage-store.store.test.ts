import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { tagUsageKey } from '#shared/table/keys';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { maxTags } from '#shared/usage/tag-summary';
import { addTagUsage, readTagUsage } from '#shared/usage/tag-usage-store';
import type { UsageTally } from '#shared/usage/usage-tally';
import { itemSize } from '../../bench/request-units.ts';
import {
  Death,
  doBefore,
  dyingTable,
  loseFirstAnswer,
  openDisturbedTable,
} from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { shardId } from './usage-batches.ts';

const table = openStoreTable();
const month = '2026-06';
const at = Date.UTC(2026, 5, 15);

const sequenceOf = (place: number): string => `${place}`.padStart(40, '0');

/** Sends with these tags, at these positions of the shard. */
const tallyOf = (
  organizationId: OrganizationId,
  sends: Readonly<Record<number, readonly string[]>>,
): UsageTally => ({
  organizationId,
  month,
  entries: Object.entries(sends).map(([place, tags]) => ({
    organizationId,
    at,
    sequence: sequenceOf(Number(place)),
    counts: { sends: 1 },
    tags,
  })),
});

const add = (tally: UsageTally, on = table, shard = shardId) => addTagUsage(on, shard, tally);

const readTags = async (organizationId: OrganizationId) => {
  const { sends, lacking } = await readTagUsage(table, organizationId, month);
  return { ...Object.fromEntries(sends), lacking };
};

describe('usage by tag', () => {
  it("is the sum of all shards' counts in the month", async () => {
    const id = newOrganizationId();
    const tally = tallyOf(id, { 1: ['kind:reset', 'env:prod'], 2: ['kind:reset'] });

    await add(tally);
    await add(tally, table, 'shardId-2');
    await add({ ...tally, month: '2026-07' });
    await add(tallyOf(newOrganizationId(), { 1: ['kind:reset'] }));

    expect(await readTags(id)).toEqual({ 'kind:reset': 4, 'env:prod': 2, lacking: 0 });
    expect(await readTags(newOrganizationId())).toEqual({ lacking: 0 });
  });

  it.each([
    ['comes again', () => table],
    ['loses its answer', () => openDisturbedTable(loseFirstAnswer('PutItem'))],
  ])('counts a batch once that %s', async (_what, open) => {
    const id = newOrganizationId();
    const tally = tallyOf(id, { 1: ['kind:reset'], 2: ['kind:reset'] });

    await add(tally, open());
    await add(tally);
    await add(tallyOf(id, { 2: ['kind:reset'], 3: ['kind:welcome'] }));

    expect(await readTags(id)).toEqual({ 'kind:reset': 2, 'kind:welcome': 1, lacking: 0 });
  });

  it('is counted by the next delivery when the process dies before it', async () => {
    const id = newOrganizationId();
    const tally = tallyOf(id, { 1: ['kind:reset'] });

    await expect(add(tally, dyingTable(1))).rejects.toThrow(Death);
    await add(tally);

    expect(await readTags(id)).toEqual({ 'kind:reset': 1, lacking: 0 });
  });

  it('loses nothing when an abandoned process counts the same shard in between', async () => {
    const id = newOrganizationId();
    const tally = tallyOf(id, { 1: ['kind:reset'], 2: ['kind:welcome'] });
    const overtaken = openDisturbedTable(
      doBefore('PutItem', 0, () => add(tallyOf(id, { 1: ['kind:reset'] }))),
    );

    await add(tally, overtaken);

    expect(await readTags(id)).toEqual({ 'kind:reset': 1, 'kind:welcome': 1, lacking: 0 });
  });

  it('stays one small item for an organization with a different tag for each send', async () => {
    const id = newOrganizationId();
    for (let batch = 0; batch < 5; batch += 1) {
      const places = Array.from({ length: 1_000 }, (_, index) => 1 + batch * 1_000 + index);
      const sends = places.map((place) => [place, [`order:${'9'.repeat(240)}${place}`]] as const);
      await add(tallyOf(id, Object.fromEntries(sends)));
    }

    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: tagUsageKey(id, month, shardId) }),
    );
    expect(itemSize(Item ?? {})).toBeLessThan(12_288);
    expect(Object.keys(await readTags(id)).length).toBeLessThanOrEqual(maxTags + 1);
  });
});
