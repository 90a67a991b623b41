import { describe, expect, it } from 'vitest';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { readStreamRecord, type UsageEntry } from '#shared/usage/counted-changes';
import { timeToDelivery } from '#shared/usage/delivery-times';
import { busiestDomains, domainsKeptDays, leastDeliveriesShown } from '#shared/usage/domain-times';
import { addDomainTimes, readDomainTimes } from '#shared/usage/domain-times-store';
import { maxTags } from '#shared/usage/tag-summary';
import { addUsage, maxDaysAtOnce, readUsage, readUsageDays } from '#shared/usage/usage-store';
import { tallyUsage } from '#shared/usage/usage-tally';
import { buildDeliveredRecord, recordedAt } from '../../support/counted-changes-builder.ts';
import { loseFirstAnswer, openDisturbedTable } from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { shardId } from './usage-batches.ts';

const table = openStoreTable();
const dayMs = 86_400_000;

type Delivered = Parameters<typeof buildDeliveredRecord>[1] & { readonly at?: number };

const entryOf = (organizationId: OrganizationId, sequence: number, { at, ...facts }: Delivered) => {
  const record = buildDeliveredRecord({ organizationId, sequence, ...(at && { at }) }, facts);
  return readStreamRecord(record);
};

const entriesOf = (organizationId: OrganizationId, all: readonly Delivered[]): UsageEntry[] =>
  all.flatMap((delivered, index) => {
    const reading = entryOf(organizationId, index + 1, delivered);
    return reading.kind === 'counts' ? [reading.entry] : [];
  });

/** Counts domains and days as count-usage does. */
async function count(entries: readonly UsageEntry[], on = table): Promise<void> {
  for (const tally of tallyUsage(entries)) {
    await addDomainTimes(on, shardId, tally);
    await addUsage(on, shardId, tally);
  }
}

const read = (organizationId: OrganizationId, now = recordedAt) =>
  readDomainTimes(table, organizationId, '2026-06', now);

const times = (count: number, delivered: Delivered) =>
  Array.from({ length: count }, () => delivered);

describe('the time to delivery', () => {
  it('is counted by receiving domain, the busiest first', async () => {
    const id = newOrganizationId();

    await count(
      entriesOf(id, [
        ...times(30, { tookMs: 2_000, toEmail: 'ann@Example.com' }),
        ...times(40, { tookMs: 60_000, toEmail: 'ben@example.org' }),
      ]),
    );

    const [slow, quick, ...others] = busiestDomains(await read(id));
    expect(slow).toMatchObject({ domain: 'example.org', deliveries: 40 });
    expect(slow?.p50Ms).toBeGreaterThan(60_000 / 1.5);
    expect(quick).toMatchObject({ domain: 'example.com', deliveries: 30 });
    expect(quick?.p95Ms).toBeLessThan(2_000 * 1.5);
    expect(others).toEqual([]);
  });

  it.each([
    ['comes again', () => table],
    ['loses its answer', () => openDisturbedTable(loseFirstAnswer('PutItem'))],
  ])('counts a batch once that %s', async (_what, open) => {
    const id = newOrganizationId();
    const entries = entriesOf(id, times(3, { tookMs: 900 }));

    await count(entries, open());
    await count(entries);

    const { counted } = await read(id);
    expect([...counted.sends]).toEqual([['example.com', 3]]);
    const [day] = await readUsageDays(table, id, {
      from: '2026-06-15',
      to: '2026-06-15',
    });
    expect(timeToDelivery(day?.times ?? new Map())).toMatchObject({ deliveries: 3 });
  });

  it('omits domains with so few emails that they may belong to one person', async () => {
    const id = newOrganizationId();

    await count(entriesOf(id, times(leastDeliveriesShown - 1, { tookMs: 900 })));

    expect(busiestDomains(await read(id))).toEqual([]);
  });

  it('expires for domains, but not for days', async () => {
    const id = newOrganizationId();
    await count(entriesOf(id, times(30, { tookMs: 900 })));

    const later = recordedAt + (domainsKeptDays + 20) * dayMs;
    expect(busiestDomains(await read(id, later))).toEqual([]);
    const [month] = await readUsage(table, id, { from: '2026-06', to: '2026-06' });
    expect(timeToDelivery(month?.times ?? new Map())).toMatchObject({ deliveries: 30 });
  });

  it.each([
    ['an erased recipient', { tookMs: 1, toEmail: 'erased' }],
    ['recipients of several domains', { tookMs: 1, cc: { L: [{ S: 'ben@example.org' }] } }],
  ])('of %s counts only for the day', async (_what, delivered) => {
    const id = newOrganizationId();
    const entries = entriesOf(id, [delivered]);

    await count(entries);

    expect(entries).toHaveLength(1);
    expect((await read(id)).counted.sends.size).toBe(0);
    const days = await readUsageDays(table, id, { from: '2026-06-15', to: '2026-06-15' });
    expect(days.map((day) => day.times?.get(0))).toEqual([1]);
  });

  it('is never below 0, though two clocks may differ', () => {
    const [entry] = entriesOf(newOrganizationId(), [{ tookMs: -5 }]);
    expect(entry?.delivery?.tookMs).toBe(0);
  });

  it('fits in an update with every bucket and counter of as many days as are written at once', async () => {
    const id = newOrganizationId();
    const days = Array.from({ length: maxDaysAtOnce * 2 }, (_, index) => index);
    const entries = days.flatMap((day) =>
      Array.from({ length: 33 }, (_, bucket) => ({
        tookMs: Math.floor(250 * 1.5 ** bucket),
        at: recordedAt + day * dayMs,
      })),
    );

    await count(entriesOf(id, entries));

    const found = await readUsageDays(table, id, {
      from: '2026-06-01',
      to: '2026-06-30',
    });
    expect(found.map((day) => day.times?.size)).toEqual(days.map(() => 33));
  });

  it('keeps its item small, however many domains there are', async () => {
    const id = newOrganizationId();
    const many = Array.from({ length: 3 * maxTags }, (_, index) => ({
      tookMs: index * 900,
      toEmail: `ann@d${index % (2 * maxTags)}.example`,
    }));

    await count(entriesOf(id, many));

    const { counted, times: kept } = await read(id);
    expect(counted.sends.size).toBeLessThanOrEqual(maxTags);
    expect(kept.size).toBe(counted.sends.size);
    expect(counted.lacking).toBeGreaterThan(0);
  });
});
