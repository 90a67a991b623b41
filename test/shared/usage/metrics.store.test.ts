import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourOf } from '#shared/timing/hour';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { emptyHour, maxNameCharacters, maxValues, sumHours } from '#shared/usage/hour-metrics';
import { type MetricEntry, metricDimensions, readMetricChange } from '#shared/usage/metric-changes';
import { addHourMetrics, metricsKeptDays, readHourMetrics } from '#shared/usage/metrics-store';
import { leastDeliveriesShown, receiversOf } from '#shared/usage/metrics-summary';
import { tallyHours } from '#shared/usage/metrics-tally';
import {
  buildDeliveredRecord,
  buildSentRecord,
  recordedAt,
} from '../../support/counted-changes-builder.ts';
import { loseFirstAnswer, openDisturbedTable } from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { shardId } from './usage-batches.ts';

const table = openStoreTable();
const hourMs = 3_600_000;

const count = async (entries: readonly MetricEntry[], shard = shardId, on = table) => {
  for (const tally of tallyHours(entries)) await addHourMetrics(on, shard, tally);
};

const anHour = { from: hourOf(recordedAt), until: hourOf(recordedAt) + 1 };
const read = async (id: OrganizationId, period = anHour, now = recordedAt) =>
  sumHours(await readHourMetrics(table, id, period, metricDimensions, now));

const delivered = (id: OrganizationId, count: number, toEmail: string, tookMs = 900, first = 1) =>
  Array.from({ length: count }, (_, index) =>
    readMetricChange(
      buildDeliveredRecord({ organizationId: id, sequence: first + index }, { tookMs, toEmail }),
    ),
  ).flat();

const sentWith = (id: OrganizationId, tags: readonly string[], at = recordedAt) =>
  tags.flatMap((tag, index) =>
    readMetricChange(
      buildSentRecord(
        { organizationId: id, sequence: index + 1, at },
        { tags: { M: { order: { S: tag } } } },
      ),
    ),
  );

describe('metrics by hour', () => {
  it('are read as they were counted', async () => {
    const id = newOrganizationId();

    await count([
      ...delivered(id, 3, 'ann@Example.com'),
      ...delivered(id, 2, 'ben@example.org', 60_000, 4),
    ]);

    const { all, by } = await read(id);
    expect(all.figures.delivered).toBe(5);
    expect([...all.times.values()].reduce((sum, one) => sum + one, 0)).toBe(5);
    const receivers = [...by.receiver].map(([name, { figures }]) => [name, figures.delivered]);
    expect(Object.fromEntries(receivers)).toEqual({ 'example.com': 3, 'example.org': 2 });
  });

  it.each([
    ['comes again', () => table],
    ['loses its answer', () => openDisturbedTable(loseFirstAnswer('PutItem'))],
  ])('count a batch once that %s', async (_what, open) => {
    const id = newOrganizationId();
    const entries = delivered(id, 3, 'ann@example.com');

    await count(entries, shardId, open());
    await count(entries);

    expect((await read(id)).all.figures.delivered).toBe(3);
  });

  it('have the same totals, however batches are cut, repeated and spread over shards', async () => {
    const batches = fc.array(
      fc.record({
        shard: fc.nat({ max: 2 }),
        fresh: fc.integer({ min: 1, max: 6 }),
        repeats: fc.nat({ max: 3 }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        const id = newOrganizationId();
        const soFar = new Map<number, MetricEntry[]>();
        let sent = 0;
        await Promise.all(
          [0, 1, 2].map(async (shard) => {
            for (const { fresh, repeats } of given.filter((one) => one.shard === shard)) {
              const before = soFar.get(shard) ?? [];
              const tags = Array.from({ length: before.length + fresh }, (_, n) => `${n % 4}`);
              const all = sentWith(id, tags);
              sent += fresh;
              soFar.set(shard, all);
              await count(all.slice(Math.max(0, before.length - repeats)), `shard-${shard}`);
            }
          }),
        );

        const { all, by } = await read(id);
        expect(all.figures.sent).toBe(sent);
        const tagged = [...by.tag.values()].map(({ figures }) => figures.sent ?? 0);
        expect(tagged.reduce((sum, one) => sum + one, 0)).toBe(sent);
      }),
      { numRuns: 15 },
    );
  });

  it('go to the hour in which it happened', async () => {
    const id = newOrganizationId();
    const later = recordedAt + 30 * hourMs;

    await count([...sentWith(id, ['a']), ...sentWith(id, ['a', 'b'], later)]);

    expect((await read(id)).all.figures.sent).toBe(1);
    const hours = await readHourMetrics(
      table,
      id,
      { from: hourOf(recordedAt), until: hourOf(later) + 1 },
      [],
      later,
    );
    expect(hours.map(({ hour, all }) => [hour, all.figures.sent])).toEqual([
      [hourOf(recordedAt), 1],
      [hourOf(later), 2],
    ]);
  });

  it('keep an item small, however many values there are, and say what is lacking', async () => {
    const id = newOrganizationId();
    const usual = Array.from({ length: 50 }, () => 'usual');
    const tags = [...usual, ...Array.from({ length: 500 }, (_, n) => `${n}-${'x'.repeat(n % 90)}`)];

    await count(sentWith(id, tags));

    const { by, all, lacking } = await read(id);
    expect(all.figures.sent).toBe(550);
    expect(by.tag.size).toBeLessThanOrEqual(maxValues.tag);
    expect([...by.tag.keys()].join('').length).toBeLessThanOrEqual(maxNameCharacters);
    expect(by.tag.get('order:usual')?.figures.sent).toBe(50);
    expect(by.tag.size + lacking.tag).toBe(1 + 500);
  });

  it('are gone after a hundred days', async () => {
    const id = newOrganizationId();
    await count(sentWith(id, ['a']));

    const kept = recordedAt + (metricsKeptDays - 1) * 24 * hourMs;
    expect((await read(id, anHour, kept)).all.figures.sent).toBe(1);
    expect(await read(id, anHour, kept + 25 * hourMs)).toEqual(sumHours([]));
    expect(emptyHour.all.figures).toEqual({});
  });

  it('of a receiver with so few emails that they may be one person’s aren’t shown', async () => {
    const id = newOrganizationId();
    await count(delivered(id, leastDeliveriesShown - 1, 'ann@example.com'));
    await count(delivered(id, leastDeliveriesShown, 'ben@example.org', 60_000, 100));

    const { busiest } = receiversOf([await read(id)]);
    expect(busiest.map(({ domain, deliveries }) => [domain, deliveries])).toEqual([
      ['example.org', leastDeliveriesShown],
    ]);
    expect(busiest[0]?.p50Ms).toBeGreaterThan(60_000 / 1.5);
    expect(busiest[0]?.p95Ms).toBeLessThan(60_000 * 1.5);
  });
});
