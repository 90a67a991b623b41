import { describe, expect, it } from 'vitest';
import { newOrganizationId } from '#shared/tokens/resource-id';
import type { DailyUsage } from '#shared/usage/day-counters';
import { noDomains } from '#shared/usage/domain-times';
import { noTags } from '#shared/usage/tag-summary';
import type { TagUsageStore } from '#shared/usage/tag-usage-store';
import { sumUsage } from '#shared/usage/usage-counts';
import type { MonthlyUsage, UsageStore } from '#shared/usage/usage-store';
import { endpoint, getUsage } from '../../../functions/get-usage/get-usage.ts';
import { buildManager } from '../../support/manager-builder.ts';

const now = Date.UTC(2026, 5, 15);

function prepare(parts: MonthlyUsage[] = [], days: DailyUsage[] = []) {
  const manager = buildManager();
  const asked: Parameters<UsageStore['read']>[] = [];
  const askedTags: Parameters<TagUsageStore['read']>[] = [];
  const askedDays: Parameters<UsageStore['readDays']>[] = [];
  const run = (query: object) =>
    getUsage(
      { caller: manager.caller, query: endpoint.query.parse(query) },
      {
        now: () => now,
        tagUsage: {
          read: async (...question) => {
            askedTags.push(question);
            return noTags;
          },
        },
        domainTimes: { read: async () => noDomains },
        usage: {
          readDays: async (...question) => {
            askedDays.push(question);
            return days;
          },
          read: async (...question) => {
            asked.push(question);
            return parts;
          },
        },
      },
    );
  return { run, asked, askedDays, askedTags, organizationId: manager.organizationId };
}

describe('getUsage', () => {
  it("reads only the months of the key's organization, and the tags of the last of them", async () => {
    const { run, asked, askedTags, organizationId } = prepare();

    await run({ from: '2026-04' });
    await run({ to: '2026-05' });
    await run({ by: 'day', to: '2026-03-02' });

    expect(asked).toEqual([
      [organizationId, { from: '2026-04', to: '2026-06' }],
      [organizationId, { from: '2026-05', to: '2026-05' }],
    ]);
    expect(askedTags).toEqual(
      ['2026-06', '2026-05', '2026-03'].map((one) => [organizationId, one]),
    );
  });

  it('sums up the parts of each month, and the months', async () => {
    const { run } = prepare([
      { month: '2026-06', counts: sumUsage([{ sends: 2, globalSends: 1, sent: 2 }]) },
      { month: '2026-06', counts: sumUsage([{ sends: 3, attachments: 1, attachmentBytes: 9 }]) },
      { month: '2026-04', counts: sumUsage([{ clicked: 4 }]) },
    ]);

    const usage = await run({ from: '2026-04', to: '2026-06' });

    const none = sumUsage([]);
    const june = { ...none, sends: 5, globalSends: 1, sent: 2, attachments: 1, attachmentBytes: 9 };
    expect(usage).toEqual({
      from: '2026-04',
      to: '2026-06',
      months: [
        { month: '2026-04', ...none, clicked: 4 },
        { month: '2026-05', ...none },
        { month: '2026-06', ...june },
      ],
      total: { ...june, clicked: 4 },
      tags: { month: '2026-06', ...noTags },
      domains: { month: '2026-06', ...noDomains },
    });
  });

  it('sums up the parts of each day, and the days', async () => {
    const { run, askedDays, organizationId } = prepare(
      [],
      [
        { day: '2026-06-13', counts: sumUsage([{ sends: 2 }]) },
        { day: '2026-06-13', counts: sumUsage([{ sends: 3, bounced: 1 }]) },
        { day: '2026-06-15', counts: sumUsage([{ opened: 4 }]) },
      ],
    );

    const usage = await run({ by: 'day', from: '2026-06-13' });

    const none = sumUsage([]);
    expect(askedDays).toEqual([[organizationId, { from: '2026-06-13', to: '2026-06-15' }]]);
    expect(usage).toEqual({
      from: '2026-06-13',
      to: '2026-06-15',
      days: [
        { day: '2026-06-13', ...none, sends: 5, bounced: 1 },
        { day: '2026-06-14', ...none },
        { day: '2026-06-15', ...none, opened: 4 },
      ],
      total: { ...none, sends: 5, bounced: 1, opened: 4 },
      tags: { month: '2026-06', ...noTags },
      domains: { month: '2026-06', ...noDomains },
    });
  });
});

describe('with the previous period', () => {
  it('sums up the same number of days before, in one read', async () => {
    const { run, askedDays, organizationId } = prepare(
      [],
      [
        { day: '2026-06-10', counts: sumUsage([{ sends: 7 }]) },
        { day: '2026-06-12', counts: sumUsage([{ sends: 1, bounced: 1 }]) },
        { day: '2026-06-13', counts: sumUsage([{ sends: 2 }]) },
      ],
    );

    const usage = await run({ by: 'day', from: '2026-06-13', previous: 'true' });

    expect(askedDays).toEqual([[organizationId, { from: '2026-06-10', to: '2026-06-15' }]]);
    expect(usage).toMatchObject({
      from: '2026-06-13',
      to: '2026-06-15',
      days: [{ day: '2026-06-13', sends: 2 }, { sends: 0 }, { sends: 0 }],
      total: { sends: 2, bounced: 0 },
      previous: { from: '2026-06-10', to: '2026-06-12', total: { sends: 8, bounced: 1 } },
    });
  });

  it('sums up the same number of months before', async () => {
    const { run, asked, organizationId } = prepare([
      { month: '2025-12', counts: sumUsage([{ sends: 7 }]) },
      { month: '2026-01', counts: sumUsage([{ sends: 2 }]) },
    ]);

    const usage = await run({ from: '2026-01', to: '2026-02', previous: 'true' });

    expect(asked).toEqual([[organizationId, { from: '2025-11', to: '2026-02' }]]);
    expect(usage).toMatchObject({
      total: { sends: 2 },
      previous: { from: '2025-11', to: '2025-12', total: { sends: 7 } },
    });
  });

  it("isn't read unless requested", async () => {
    const { run, askedDays, organizationId } = prepare();

    const usage = await run({ by: 'day', to: '2026-06-13', previous: 'false' });

    expect(askedDays).toEqual([[organizationId, { from: '2026-06-13', to: '2026-06-13' }]]);
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

  it.each(['2026-06', '2026-06-01', '2026-06-30'])('takes %s for June 2026', async (text) => {
    const { run, asked, organizationId } = prepare();

    await run({ from: text, to: text });

    expect(asked).toEqual([[organizationId, { from: '2026-06', to: '2026-06' }]]);
  });

  it("can't name another organization", () => {
    expect(endpoint.query.safeParse({ organizationId: newOrganizationId() }).success).toBe(false);
  });
});
