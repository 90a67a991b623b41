import type { Answer, Input } from '../../../api.ts';
import type { Send } from '../emails/outcomes.ts';
import { addressWith, oneOf } from '../shared/paging.ts';

export type Metrics = Answer<'GET /api/v1/metrics'>;
export type Bucket = Metrics['buckets'][number];
export type Figures = Metrics['totals'];
/** What rates and bars are made of. */
export type Outcomes = Pick<
  Figures,
  | 'sent'
  | 'delivered'
  | 'bounced_permanent'
  | 'bounced_transient'
  | 'bounced_undetermined'
  | 'complained'
>;

const ranges = {
  '24h': { days: 1, words: 'the last 24 hours', before: 'the 24 hours before' },
  '7d': { days: 7, words: 'the last 7 days', before: 'the 7 days before' },
  '30d': { days: 30, words: 'the last 30 days', before: 'the 30 days before' },
  '90d': { days: 90, words: 'the last 90 days', before: 'the 90 days before' },
} as const;
export const rangeNames = ['24h', '7d', '30d', '90d'] as const;
export type RangeName = (typeof rangeNames)[number];

export type Range = {
  readonly name: RangeName;
  readonly words: string;
  readonly before: string;
  readonly isByHour: boolean;
  /** The first day, in the reader's zone. */
  readonly from: string | undefined;
};

/** @param text from the page's address, so it may be anything. */
export function rangeOf(text: string | undefined, now: number): Range {
  const name = oneOf(rangeNames, text) ?? '30d';
  const { days, words, before } = ranges[name];
  const isByHour = days === 1;
  return { name, words, before, isByHour, from: isByHour ? undefined : dayBefore(now, days - 1) };
}

function dayBefore(now: number, days: number): string {
  const date = new Date(now);
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate() - days, 12);
  const digits = (number: number) => `${number}`.padStart(2, '0');
  return `${day.getFullYear()}-${digits(day.getMonth() + 1)}-${digits(day.getDate())}`;
}

/** In the reader's time zone; the browser may not know one that the service does. */
export const metricsQuery = ({ isByHour, from }: Range): Input<'GET /api/v1/metrics'> => ({
  query: {
    interval: isByHour ? 'hour' : 'day',
    ...(from && { from }),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    previous: 'true',
  },
});

/** Links to the emails of the range, or to those with one of these outcomes. */
export const emailsIn = ({ name, from }: Range, ...outcomes: Send['outcome'][]): string =>
  addressWith('/console/emails', {
    outcome: outcomes.join(),
    ...(name === '90d' && from
      ? { from: new Date(`${from}T00:00`).toISOString() }
      : { period: name }),
  });

/** Links to the emails of an hour or day, or to those with one of these outcomes in it. */
export const emailsOf = ({ from, until }: Bucket, ...outcomes: Send['outcome'][]): string =>
  addressWith('/console/emails', {
    outcome: outcomes.join(),
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
  });
