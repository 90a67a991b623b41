import { describe, expect, it } from 'vitest';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { monthOfDay } from '#shared/usage/month';
import { noTags } from '#shared/usage/tag-summary';
import { addTagUsage } from '#shared/usage/tag-usage-store';
import { sumUsage, type UsageCounts } from '#shared/usage/usage-counts';
import { addUsage } from '#shared/usage/usage-store';
import { endpoint, getUsage } from '../../../functions/get-usage/get-usage.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

const now = Date.UTC(2026, 5, 15);

/** What a shard of the stream counted on a day. */
type Part = { readonly day: string; readonly counts: Partial<UsageCounts> };

/** An organization that used this much, each part as another shard counted it. */
async function openUsed(...parts: readonly Part[]) {
  let queries = 0;
  const { table } = openMemoryTable({
    intercept: ({ operation }, run) => {
      if (operation === 'Query') queries += 1;
      return run();
    },
  });
  const { caller, organizationId } = buildManager();
  const count = async (of: typeof organizationId, given: readonly Part[]) => {
    for (const [index, { day, counts }] of given.entries()) {
      const entry = { organizationId: of, sequence: '1', at: Date.parse(day), counts };
      const tags = [`kind:${monthOfDay(day)}`];
      const tally = {
        organizationId: of,
        month: monthOfDay(day),
        entries: [{ ...entry, ...(counts.sends && { tags }) }],
      };
      await addUsage(table, `shard-${index}`, tally);
      await addTagUsage(table, `shard-${index}`, tally);
    }
  };
  await count(organizationId, parts);
  await count(newOrganizationId(), [{ day: '2026-06-14', counts: { sends: 1_000 } }]);
  const run = (query: object) =>
    getUsage(
      { caller, query: endpoint.query.parse(query) },
      { table, now: () => now, limitsOfDeployment: {}, plan: 'essentials' },
    );
  return { run, queries: () => queries };
}

const used = (day: string, counts: Partial<UsageCounts>): Part => ({ day, counts });
const tagsOf = (month: string, sends: number) => ({
  month,
  sends: new Map([[`kind:${month}`, sends]]),
  lacking: 0,
});
const none = { ...sumUsage([]), timeToDelivery: undefined };

describe('getUsage', () => {
  it.each([
    [{ from: '2026-04' }, ['2026-04', '2026-05', '2026-06']],
    [{ to: '2026-05' }, ['2026-05']],
    [{}, ['2026-06']],
    [{ from: '2026-06', to: '2026-06' }, ['2026-06']],
    [{ from: '2026-06-01', to: '2026-06-30' }, ['2026-06']],
  ])('for %o shows the months %o, and the tags of the last', async (query, expected) => {
    const days = ['2026-03-31', '2026-04-01', '2026-05-31', '2026-06-01'];
    const { run } = await openUsed(...days.map((day) => used(day, { sends: 1 })));

    const usage = await run(query);

    const months = expected.map((month) => expect.objectContaining({ month, sends: 1 }));
    expect(usage).toMatchObject({ months, total: { sends: expected.length } });
    expect(usage.tags).toEqual(tagsOf(expected.at(-1) ?? '', 1));
  });

  it('shows what the current month has cost, and today’s recipients, only by month', async () => {
    const { run } = await openUsed(
      used('2026-06-02', { sends: 1_000, recipients: 1_000 }),
      used('2026-06-15', { sends: 7, recipients: 9 }),
    );

    const { cost, quota } = await run({ from: '2026-05' });

    expect(cost).toMatchObject({ month: '2026-06', plan: 'essentials', ses: 16 });
    expect(cost?.forecast).toBeGreaterThan(cost?.total ?? 0);
    expect(quota).toEqual({ recipients: 9, recipientsPerDay: 10_000_000 });
    for (const query of [{ to: '2026-05' }, { by: 'day' }]) {
      expect(await run(query)).not.toHaveProperty('cost');
    }
  });

  it("shows the tags of the last day's month", async () => {
    const { run } = await openUsed(used('2026-03-02', { sends: 1 }));

    expect((await run({ by: 'day', to: '2026-03-02' })).tags).toEqual(tagsOf('2026-03', 1));
  });

  it('sums up the parts of each month, and the months', async () => {
    const { run } = await openUsed(
      used('2026-06-01', { sends: 2, globalSends: 1, sent: 2 }),
      used('2026-06-02', { sends: 3, attachments: 1, attachmentBytes: 9 }),
      used('2026-04-30', { clicked: 4 }),
    );

    const usage = await run({ from: '2026-04', to: '2026-06' });

    const june = { ...none, sends: 5, globalSends: 1, sent: 2, attachments: 1, attachmentBytes: 9 };
    expect(usage).toMatchObject({
      from: '2026-04',
      to: '2026-06',
      months: [
        { month: '2026-04', ...none, clicked: 4 },
        { month: '2026-05', ...none },
        { month: '2026-06', ...june },
      ],
      total: { ...june, clicked: 4 },
      tags: tagsOf('2026-06', 2),
      domains: { month: '2026-06', busiest: [], lacking: 0 },
    });
  });

  it('sums up the parts of each day, and the days', async () => {
    const { run } = await openUsed(
      used('2026-06-12', { sends: 9 }),
      used('2026-06-13', { sends: 2 }),
      used('2026-06-13', { sends: 3, bounced: 1 }),
      used('2026-06-15', { opened: 4 }),
    );

    const usage = await run({ by: 'day', from: '2026-06-13' });

    expect(usage).toEqual({
      from: '2026-06-13',
      to: '2026-06-15',
      days: [
        { day: '2026-06-13', ...none, sends: 5, bounced: 1 },
        { day: '2026-06-14', ...none },
        { day: '2026-06-15', ...none, opened: 4 },
      ],
      total: { ...none, sends: 5, bounced: 1, opened: 4 },
      tags: tagsOf('2026-06', 3),
      domains: { month: '2026-06', busiest: [], lacking: 0 },
    });
  });

  it('shows nothing of an organization that used nothing', async () => {
    const { run } = await openUsed();

    const usage = await run({});

    expect(usage).toMatchObject({ total: sumUsage([]), tags: { month: '2026-06', ...noTags } });
  });
});

describe('with the previous period', () => {
  it('sums up the same number of days before, in one read', async () => {
    const { run, queries } = await openUsed(
      used('2026-06-09', { sends: 50 }),
      used('2026-06-10', { sends: 7 }),
      used('2026-06-12', { sends: 1, bounced: 1 }),
      used('2026-06-13', { sends: 2 }),
    );

    const usage = await run({ by: 'day', from: '2026-06-13', previous: 'true' });

    expect(queries(), 'days, tags and domains').toBe(3);
    expect(usage).toMatchObject({
      from: '2026-06-13',
      to: '2026-06-15',
      days: [{ day: '2026-06-13', sends: 2 }, { sends: 0 }, { sends: 0 }],
      total: { sends: 2, bounced: 0 },
      previous: { from: '2026-06-10', to: '2026-06-12', total: { sends: 8, bounced: 1 } },
    });
  });

  it('sums up the same number of months before, in one read', async () => {
    const { run, queries } = await openUsed(
      used('2025-10-31', { sends: 50 }),
      used('2025-12-31', { sends: 7 }),
      used('2026-01-01', { sends: 2 }),
    );

    const usage = await run({ from: '2026-01', to: '2026-02', previous: 'true' });

    expect(queries(), 'months and tags, as domains are no longer kept').toBe(2);
    expect(usage).toMatchObject({
      total: { sends: 2 },
      previous: { from: '2025-11', to: '2025-12', total: { sends: 7 } },
    });
  });

  it("isn't shown unless requested", async () => {
    const { run } = await openUsed(used('2026-06-12', { sends: 7 }));

    const usage = await run({ by: 'day', to: '2026-06-13', previous: 'false' });

    expect(usage).toMatchObject({ from: '2026-06-13', to: '2026-06-13', total: { sends: 0 } });
    expect(usage).not.toHaveProperty('previous');
  });
});

describe('the query', () => {
  it.each([
    '2026-13',
    '2026-00',
    '2026-6',
    '26-06',
    '2026-06-00',
    '2026-06-32',
    '2026-06-01T00:00:00Z',
    '2026/06',
    'June',
    '',
    ' 2026-06',
  ])('rejects the month "%s"', (month) => {
    const faults = ['from', 'to'].map((name) => {
      const { error } = endpoint.query.safeParse({ [name]: month });
      return error?.issues.map(({ path, message }) => [path.join('.'), message]);
    });

    const message = 'must be a month, as YYYY-MM, or a day of it';
    expect(faults).toEqual([[['from', message]], [['to', message]]]);
  });

  it("can't name another organization", () => {
    expect(endpoint.query.safeParse({ organizationId: newOrganizationId() }).success).toBe(false);
  });
});
