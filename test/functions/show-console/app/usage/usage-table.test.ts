import { describe, expect, it } from 'vitest';
import {
  type Figures,
  figureText,
  monthBefore,
  sinceFirstUse,
  usageColumns,
  usageCsv,
  usageRows,
} from '../../../../../functions/show-console/app/usage/usage-table.ts';

const figures = (sends: number): Figures => ({
  sends,
  recipients: 8,
  global_endpoint_sends: 1,
  events: {
    sent: sends,
    delivered: 2,
    bounced: 3,
    soft_bounced: 1,
    complained: 4,
    opened: 5,
    clicked: 6,
  },
  attachments: 7,
  attachmentBytes: 1_234_567,
  timeToDelivery: null,
});
const usage = {
  from: '2026-10',
  to: '2026-11',
  months: [
    { month: '2026-10', ...figures(10) },
    { month: '2026-11', ...figures(20_000) },
  ],
  total: figures(20_010),
  tags: { month: '2026-11', busiest: [], lacking: 0 },
  receivingDomains: { month: '2026-11', busiest: [], lacking: 0 },
};

describe('usageRows', () => {
  it('has the newest month first', () => {
    expect(usageRows(usage)).toEqual([
      { period: '2026-11', figures: figures(20_000) },
      { period: '2026-10', figures: figures(10) },
    ]);
  });

  it('lists days, too', () => {
    const { months: _, ...rest } = usage;
    const days = { ...rest, days: [{ day: '2026-11-21', ...figures(1) }] };

    expect(usageRows(days)).toEqual([{ period: '2026-11-21', figures: figures(1) }]);
  });
});

it.each([
  ['no use at all', [0, 0, 0], [0]],
  ['use of the newest only', [1, 0, 0], [1]],
  ['a pause amid use', [0, 2, 0, 3, 0, 0], [0, 2, 0, 3]],
])('sinceFirstUse: %s', (_, sends, expected) => {
  const nothing = { ...figures(0), recipients: 0, global_endpoint_sends: 0, attachments: 0 };
  const unused = {
    ...nothing,
    attachmentBytes: 0,
    events: { ...nothing.events, delivered: 0, bounced: 0, complained: 0, opened: 0, clicked: 0 },
  };
  const rows = sends.map((one) => ({ period: '2026-11', figures: { ...unused, sends: one } }));

  expect(sinceFirstUse(rows).map((row) => row.figures.sends)).toEqual(expected);
});

it('formats figures for people, bytes as megabytes', () => {
  const texts = usageColumns.map((column) => figureText(column, figures(20_000), 'en'));

  expect(texts).toEqual(['20,000', '8', '1', '2', '3', '4', '5', '6', '7', '1.2']);
});

it('exports usage oldest first, with exact figures', () => {
  expect(usageCsv(usage)).toBe(
    [
      'period,sends,recipients,globalEndpointSends,delivered,bounced,complained,opened,clicked,attachments,attachmentBytes',
      '2026-10,10,8,1,2,3,4,5,6,7,1234567',
      '2026-11,20000,8,1,2,3,4,5,6,7,1234567',
      '',
    ].join('\r\n'),
  );
});

it.each([
  [Date.UTC(2026, 10, 22), 11, '2025-12'],
  [Date.UTC(2026, 10, 22), 0, '2026-11'],
  [Date.UTC(2026, 11, 31, 23, 59), 10, '2026-02'],
])('counts months back from %d by %d in UTC', (now, months, expected) => {
  expect(monthBefore(now, months)).toBe(expected);
});
