import { csvRecord } from '#shared/csv/csv';
import type { Answer } from '../../../api.ts';

export type Usage = Answer<'GET /api/v1/usage'>;
export type Day = NonNullable<Usage['days']>[number];
export type Figures = Usage['total'];
/** A month such as `2026-11`, or a day such as `2026-11-21`, in UTC. */
type UsageRow = { readonly period: string; readonly figures: Figures };

type Column = {
  /** In the file. */
  readonly name: string;
  /** On the page. */
  readonly label: string;
  readonly of: (figures: Figures) => number;
};

export const usageColumns: readonly Column[] = [
  { name: 'sends', label: 'Sends', of: ({ sends }) => sends },
  { name: 'recipients', label: 'Recipients', of: ({ recipients }) => recipients },
  {
    name: 'globalEndpointSends',
    label: 'Via global',
    of: ({ global_endpoint_sends: sends }) => sends,
  },
  { name: 'delivered', label: 'Delivered', of: ({ events }) => events.delivered },
  { name: 'bounced', label: 'Bounced', of: ({ events }) => events.bounced },
  { name: 'complained', label: 'Complained', of: ({ events }) => events.complained },
  { name: 'opened', label: 'Opened', of: ({ events }) => events.opened },
  { name: 'clicked', label: 'Clicked', of: ({ events }) => events.clicked },
  { name: 'attachments', label: 'Files', of: ({ attachments }) => attachments },
  { name: 'attachmentBytes', label: 'MB', of: ({ attachmentBytes }) => attachmentBytes },
];

/** Newest first. */
export const usageRows = ({ months = [], days = [] }: Usage): UsageRow[] =>
  [
    ...months.map(({ month, ...figures }) => ({ period: month, figures })),
    ...days.map(({ day, ...figures }) => ({ period: day, figures })),
  ].reverse();

/** Drops the time before the first use, but not the newest row. */
export const sinceFirstUse = (rows: readonly UsageRow[]): readonly UsageRow[] =>
  rows.slice(0, Math.max(1, rows.findLastIndex(({ figures }) => isUsed(figures)) + 1));

const isUsed = (figures: Figures): boolean => usageColumns.some(({ of }) => of(figures) > 0);

/** For people, with bytes as megabytes. */
export function figureText({ name, of }: Column, figures: Figures, locale?: string): string {
  const figure = of(figures);
  if (name !== 'attachmentBytes') return figure.toLocaleString(locale);
  return (figure / 1_000_000).toLocaleString(locale, { maximumFractionDigits: 1 });
}

/** Oldest first, without the total: spreadsheets can add up. */
export const usageCsv = (usage: Usage): string =>
  [
    csvRecord(['period', ...usageColumns.map(({ name }) => name)]),
    ...usageRows(usage)
      .reverse()
      .map(({ period, figures }) =>
        csvRecord([period, ...usageColumns.map(({ of }) => `${of(figures)}`)]),
      ),
  ].join('');

/** Such as `2026-11`. */
export function monthBefore(now: number, months: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months))
    .toISOString()
    .slice(0, 7);
}
