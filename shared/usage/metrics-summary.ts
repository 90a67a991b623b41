import { type TimeToDelivery, timeToDelivery } from './delivery-times.ts';
import type { Counted, HourMetrics } from './hour-metrics.ts';
import { busiestFirst, nothingCounted, sumCounted, sumHours } from './hour-metrics.ts';
import type { MetricBucket } from './metric-buckets.ts';
import type { MetricDimension } from './metric-changes.ts';
import {
  sumFigures,
  type UndeliveredReason,
  undeliveredReasons,
  whyOf,
  withRates,
} from './metric-figures.ts';
import type { StoredHour } from './metrics-store.ts';

export const maxGroups = 50;
export const maxReceivers = 10;
/** With fewer, a receiver isn't shown: it may be one person's, and a percentile of so few says little. */
export const leastDeliveriesShown = 20;

export const figuresOf = ({ figures, times }: Counted) => ({
  ...withRates(sumFigures([figures])),
  timeToDelivery: timeToDelivery(times) ?? null,
});

/** What is asked for of an hour: everything, or one value of a dimension. */
export const pickOf =
  (by: MetricDimension | undefined, value: string | undefined) =>
  (hour: HourMetrics): Counted =>
    by === undefined || value === undefined ? hour.all : (hour.by[by].get(value) ?? nothingCounted);

export function seriesOf(
  hours: readonly StoredHour[],
  buckets: readonly MetricBucket[],
  pick: (hour: HourMetrics) => Counted,
) {
  const byHour = new Map(hours.map((hour) => [hour.hour, hour]));
  return buckets.map((bucket) => {
    const parts = Array.from(
      { length: bucket.until - bucket.from },
      (_, index) => byHour.get(bucket.from + index) ?? [],
    ).flat();
    return { ...bucket, counted: sumCounted([nothingCounted, ...parts.map(pick)]) };
  });
}

/** The busiest. A receiver of few emails isn't one. */
export function groupsOf(sum: HourMetrics, by: MetricDimension) {
  const least = by === 'receiver' ? leastDeliveriesShown : 1;
  return busiestFirst(sum.by[by])
    .filter(([, { figures }]) => Math.max(figures.delivered ?? 0, figures.sent ?? 0) >= least)
    .slice(0, maxGroups)
    .map(([value, counted]) => ({ value, ...figuresOf(counted) }));
}

type Receiver = TimeToDelivery & {
  readonly domain: string;
  /** In percent of all that was sent. */
  readonly share: number;
  readonly sent: number;
  readonly delivery_rate: number | null;
};

export function receiversOf(hours: readonly HourMetrics[]): {
  readonly busiest: readonly Receiver[];
  readonly lacking: number;
} {
  const { by, all, lacking } = sumHours(hours);
  const sentToAll = all.figures.sent ?? 0;
  const busiest = busiestFirst(by.receiver)
    .flatMap(([domain, { figures, times }]) => {
      const took = timeToDelivery(times);
      const { sent, delivered, delivery_rate } = withRates(sumFigures([figures]));
      if (took === undefined || delivered < leastDeliveriesShown) return [];
      const share = sentToAll === 0 ? 0 : Math.round((sent / sentToAll) * 1_000) / 10;
      return [{ domain, share, sent, delivery_rate, ...took, deliveries: delivered }];
    })
    .slice(0, maxReceivers);
  return { busiest, lacking: lacking.receiver };
}

type UndeliveredCount = {
  readonly reason: UndeliveredReason;
  readonly why: string;
  readonly emails: number;
};

/** The most frequent first. */
export const reasonsOf = ({ reasons }: Counted): readonly UndeliveredCount[] =>
  undeliveredReasons
    .flatMap((reason) => {
      const emails = reasons[reason];
      return emails === undefined ? [] : [{ reason, why: whyOf(reason), emails }];
    })
    .sort((one, other) => other.emails - one.emails);
