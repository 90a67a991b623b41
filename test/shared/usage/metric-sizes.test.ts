import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { byDimension } from '#shared/usage/hour-metrics';
import { type MetricEntry, metricDimensions } from '#shared/usage/metric-changes';
import { addHourMetrics, readHourMetrics } from '#shared/usage/metrics-store';
import { itemSize } from '../../bench/request-units.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

const organizationId = newOrganizationId();
const hour = 494_856;

const own = (index: number) => `${index}`.padStart(16, 'a');
/** Few are busy, and many are seldom. */
const seldom = (index: number, most: number) => Math.floor(most ** ((index % 97) / 97));

/** An email that was sent and delivered, some of them opened or bounced. */
function happened(index: number, isHostile: boolean): MetricEntry[] {
  const of = (most: number) => (isHostile ? index % 5_000 : seldom(index, most));
  const long = isHostile ? '-'.repeat(60) : '';
  const values = byDimension((dimension) => [`${dimension}${long}${of(sizes[dimension])}`]);
  const one = {
    organizationId,
    at: hour * 3_600_000,
    values: { ...values, key: [own(of(3))], template: [own(of(12))] },
  };
  const figures: readonly Pick<MetricEntry, 'figure' | 'tookMs' | 'reason'>[] = [
    { figure: 'sent' },
    { figure: 'delivered', tookMs: 300 + (index % 50) ** 3 },
    ...(index % 2 === 0
      ? [{ figure: 'unique_opened' } as const, { figure: 'machine_opened' } as const]
      : []),
    ...(index % 60 === 0
      ? [{ figure: 'bounced_permanent', reason: 'no_such_mailbox' } as const]
      : []),
    ...(index % 90 === 0 ? [{ figure: 'bounced_transient', reason: 'mailbox_full' } as const] : []),
    ...(index % 900 === 0 ? [{ figure: 'complained' } as const] : []),
  ];
  return figures.map((figure, place) => ({
    ...one,
    ...figure,
    sequence: `${index * 10 + place}`.padStart(40, '0'),
  }));
}

const sizes = { domain: 2, key: 3, template: 12, tag: 15, receiver: 400 };

/** The bytes of an hour's item, which four shards have counted. */
async function bytesOf(emails: number, isHostile = false): Promise<number> {
  const { table, items } = openMemoryTable();
  const batch = 100;
  for (let from = 0; from < emails; from += batch) {
    const entries = Array.from({ length: batch }, (_, n) => happened(from + n, isHostile)).flat();
    const tally = { organizationId, hour, entries };
    await addHourMetrics(table, `shardId-${(from / batch) % 4}`, tally);
  }
  const period = { from: hour, until: hour + 1 };
  const [read] = await readHourMetrics(table, organizationId, period, metricDimensions, 0);
  expect(read?.all.figures.sent).toBe(emails);
  const [item = {}] = items();
  return itemSize(marshall(item));
}

describe('an hour of metrics', () => {
  it('of 50,000 emails a day is below 5 KB, so that 30 days are 360 read units at most', async () => {
    const busy = await bytesOf(5_000);
    const quiet = await bytesOf(600);

    expect(busy).toBeLessThan(5_000);
    const ofDay = 8 * busy + 16 * quiet;
    expect(Math.ceil((30 * ofDay) / 4_096) / 2).toBeLessThan(360);
  });

  it('of an organization that uses another value with each email stays below 16 KB', async () => {
    expect(await bytesOf(3_000, true)).toBeLessThan(16_000);
  });

  it('of an organization with little traffic is one write unit', async () => {
    const { table, items } = openMemoryTable();
    const entries = Array.from({ length: 4 }, (_, n) => happened(n * 2 + 1, false)).flat();
    await addHourMetrics(table, 'shardId-1', { organizationId, hour, entries });

    const [item = {}] = items();
    expect(itemSize(marshall(item))).toBeLessThan(1_024);
  });
});
