import { describe, expect, it } from 'vitest';
import { hourMs } from '#shared/timing/hour';
import {
  apiKeyIdOf,
  newOrganizationId,
  newTemplateId,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { byDimension } from '#shared/usage/hour-metrics';
import type { MetricEntry, MetricValues } from '#shared/usage/metric-changes';
import type { MetricFigure } from '#shared/usage/metric-figures';
import { addHourMetrics, metricsKeptDays } from '#shared/usage/metrics-store';
import { tallyHours } from '#shared/usage/metrics-tally';
import { endpoint, getMetrics } from '../../../functions/get-metrics/get-metrics.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = Date.UTC(2026, 10, 30, 8, 20);

type Happened = {
  readonly figure: MetricFigure;
  /** Before now. */
  readonly hours?: number;
  readonly emails?: number;
  readonly values?: Partial<MetricValues>;
} & Pick<MetricEntry, 'tookMs' | 'reason'>;

async function openCounted(...all: readonly Happened[]) {
  const { table } = openMemoryTable();
  const { caller, organizationId } = buildManager();
  let sequence = 0;
  const count = async (id: OrganizationId, happened: readonly Happened[]) => {
    const entries = happened.flatMap(({ hours = 0, emails = 1, values, ...one }) =>
      Array.from({ length: emails }, (): MetricEntry => {
        sequence += 1;
        return {
          ...one,
          organizationId: id,
          sequence: `${sequence}`.padStart(40, '0'),
          at: now - hours * hourMs,
          values: { ...byDimension(() => []), ...values },
        };
      }),
    );
    for (const tally of tallyHours(entries)) await addHourMetrics(table, 'shard-1', tally);
  };
  await count(organizationId, all);
  await count(newOrganizationId(), [{ figure: 'sent', emails: 1_000 }]);
  const ask = (query: object = {}) =>
    getMetrics({ caller, query: endpoint.query.parse(query) }, { table, now: () => now });
  return { ask, organizationId };
}

describe('getMetrics', () => {
  it('answers what the declaration says', async () => {
    const { ask } = await openCounted({ figure: 'sent', values: { tag: ['kind:reset'] } });

    const metrics = await ask({ by: 'tag', previous: 'true' });

    expect(endpoint.answers[200].body.parse(metrics)).toEqual(metrics);
  });

  it('sums up the period, with rates in percent', async () => {
    const { ask } = await openCounted(
      { figure: 'sent', emails: 200 },
      { figure: 'delivered', emails: 190, tookMs: 900 },
      { figure: 'bounced_permanent', emails: 3, reason: 'no_such_mailbox' },
      { figure: 'bounced_transient', emails: 1, reason: 'mailbox_full' },
      { figure: 'complained', emails: 1 },
      { figure: 'unique_opened', emails: 95 },
      { figure: 'suppressed', emails: 2, reason: 'suppressed' },
      { figure: 'sent', emails: 7, hours: 40 * 24 },
    );

    const { totals, reasons, previous } = await ask();

    expect(totals).toMatchObject({
      sent: 200,
      bounced: 4,
      delivery_rate: 95,
      bounce_rate: 2,
      complaint_rate: 0.526,
      open_rate: 50,
      click_rate: 0,
      timeToDelivery: { deliveries: 190 },
    });
    expect(reasons).toEqual([
      { reason: 'no_such_mailbox', why: 'this mailbox doesn’t exist', emails: 3 },
      { reason: 'suppressed', why: 'the address was suppressed', emails: 2 },
      { reason: 'mailbox_full', why: 'the mailbox is full', emails: 1 },
    ]);
    expect(previous).toBeNull();
  });

  it('has no rate of nothing', async () => {
    const { ask } = await openCounted();

    const { totals } = await ask();

    expect(totals).toMatchObject({ sent: 0, delivery_rate: null, open_rate: null });
    expect(totals.timeToDelivery).toBeNull();
  });

  it.each([
    ['UTC', ['2026-11-29', '2026-11-30'], [1, 2]],
    // It is 08:20 in UTC, and 00:20 there.
    ['America/Los_Angeles', ['2026-11-28', '2026-11-29', '2026-11-30'], [0, 2, 1]],
  ])('cuts days by the time zone %s', async (timeZone, days, sent) => {
    const { ask } = await openCounted(
      { figure: 'sent' },
      { figure: 'sent', hours: 1 },
      { figure: 'sent', hours: 10 },
    );

    const { buckets } = await ask({ from: '2026-11-29T00:00:00Z', timeZone });

    expect(buckets.map(({ period }) => period)).toEqual(days);
    expect(buckets.map((bucket) => bucket.sent)).toEqual(sent);
  });

  it.each(['domain', 'tag', 'receiver'] as const)('groups by %s, the busiest first', async (by) => {
    const { ask } = await openCounted(
      { figure: 'sent', emails: 30, values: { [by]: ['a:1'] } },
      { figure: 'sent', emails: 40, values: { [by]: ['b:2'] } },
      { figure: 'sent', emails: 5 },
    );

    const { groups, totals, lacking } = await ask({ by });

    expect(groups.map(({ value, sent }) => [value, sent])).toEqual([
      ['b:2', 40],
      ['a:1', 30],
    ]);
    expect([totals.sent, lacking]).toEqual([75, 0]);
  });

  it('names keys and templates by their ids, and finds them again', async () => {
    const own = 'abcdefghijklmnop';
    const { ask, organizationId } = await openCounted({
      figure: 'sent',
      values: { key: [own], template: [own] },
    });

    for (const by of ['key', 'template'] as const) {
      const value = (await ask({ by })).groups[0]?.value;
      expect(value).toContain(own);
      expect((await ask({ by, value })).totals.sent).toBe(1);
    }
    expect((await ask({ by: 'key' })).groups[0]?.value).toBe(apiKeyIdOf(organizationId, own));
    const value = newTemplateId(organizationId);
    expect((await ask({ by: 'template', value })).totals.sent).toBe(0);
  });

  it('counts only emails with a value', async () => {
    const values = { domain: ['news.example.com'] };
    const { ask } = await openCounted(
      { figure: 'sent', emails: 4, values },
      { figure: 'bounced_permanent', values, reason: 'no_mail_server' },
      { figure: 'sent', emails: 5, hours: 24 * 40, values },
      { figure: 'sent', emails: 6 },
      { figure: 'bounced_permanent', reason: 'unknown' },
    );

    const found = await ask({ by: 'domain', value: 'News.example.com', previous: 'true' });

    expect(found.totals).toMatchObject({ sent: 4, bounced: 1 });
    expect(found.previous?.sent).toBe(5);
    expect(found.reasons).toMatchObject([{ reason: 'no_mail_server', emails: 1 }]);
    expect(found.buckets.reduce((sum, { sent }) => sum + sent, 0)).toBe(4);
    expect([found.groups, found.receivers]).toEqual([[], []]);
  });

  it('shows receivers with their share, rate and times', async () => {
    const receiver = ['example.org'];
    const { ask } = await openCounted(
      { figure: 'sent', emails: 50, values: { receiver } },
      { figure: 'sent', emails: 50 },
      { figure: 'delivered', emails: 49, tookMs: 2_000, values: { receiver } },
      { figure: 'delivered', emails: 3, tookMs: 2_000, values: { receiver: ['example.net'] } },
    );

    const { receivers } = await ask();

    expect(receivers).toMatchObject([
      { domain: 'example.org', share: 50, sent: 50, delivery_rate: 98, deliveries: 49 },
    ]);
  });

  it('compares with the hours right before, while they are kept', async () => {
    const { ask } = await openCounted(
      { figure: 'sent', emails: 2 },
      { figure: 'sent', emails: 3, hours: 24 },
      { figure: 'sent', emails: 4, hours: 48 },
    );

    expect((await ask({ interval: 'hour', previous: 'true' })).previous?.sent).toBe(3);
    const from = new Date(now - (metricsKeptDays - 10) * 24 * hourMs).toISOString();
    expect((await ask({ from, previous: 'true' })).previous).toBeNull();
  });

  it.each([
    [{ value: 'x' }, 'value'],
    [{ by: 'key', value: 'import' }, 'value'],
    [{ by: 'template', value: 'welcome' }, 'value'],
    [{ by: 'tag', value: 'reset' }, 'value'],
    [{ timeZone: 'Europe/Atlantis' }, 'timeZone'],
    [{ from: '2026-01-01' }, 'from'],
    [{ interval: 'hour', from: '2026-11-01' }, 'from'],
  ])('refuses %o', async (query, path) => {
    const { ask } = await openCounted();

    const error = await serviceErrorOf(() => ask(query));

    expect(error.errors?.map((one) => one.path)).toEqual([path]);
  });
});
