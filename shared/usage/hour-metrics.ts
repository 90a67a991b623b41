import { bucketOf, type DeliveryTimes, noTimes, sumTimes } from './delivery-times.ts';
import type { MetricDimension, MetricEntry } from './metric-changes.ts';
import {
  type Figures,
  metricFigures,
  sumFigures,
  type UndeliveredReason,
  undeliveredReasons,
} from './metric-figures.ts';

/** What happened to some emails in an hour. */
export type Counted = {
  readonly figures: Partial<Figures>;
  readonly times: DeliveryTimes;
  readonly reasons: Partial<Readonly<Record<UndeliveredReason, number>>>;
};

export type HourMetrics = {
  readonly all: Counted;
  readonly by: Readonly<Record<MetricDimension, ReadonlyMap<string, Counted>>>;
  /** How many counts of each dimension's values were dropped, so the most that one value may lack. */
  readonly lacking: Readonly<Record<MetricDimension, number>>;
};

export const nothingCounted: Counted = { figures: {}, times: noTimes, reasons: {} };

export const byDimension = <Value>(
  of: (dimension: MetricDimension) => Value,
): Record<MetricDimension, Value> => ({
  domain: of('domain'),
  key: of('key'),
  template: of('template'),
  tag: of('tag'),
  receiver: of('receiver'),
});

export const emptyHour: HourMetrics = {
  all: nothingCounted,
  by: byDimension(() => new Map()),
  lacking: byDimension(() => 0),
};

/**
 * An organization may use another tag or write to another domain with every email, so not every value can be counted.
 * These many of each are, with names of this total length: an hour's item stays below 16 KB, and usually below 5.
 */
export const maxValues: Readonly<Record<MetricDimension, number>> = {
  domain: 10,
  key: 20,
  template: 30,
  tag: 20,
  receiver: 15,
};
export const maxNameCharacters = 1_500;

/** Where there are too many values, the least counted are dropped. */
export function addToHour(hour: HourMetrics, entries: readonly MetricEntry[]): HourMetrics {
  const kept = byDimension((dimension) =>
    keepBusiest(addValues(hour.by[dimension], dimension, entries), maxValues[dimension]),
  );
  return {
    all: sumCounted([hour.all, ...entries.map((entry) => countedOf(entry, true))]),
    by: byDimension((dimension) => kept[dimension].values),
    lacking: byDimension((dimension) => hour.lacking[dimension] + kept[dimension].dropped),
  };
}

function addValues(
  values: ReadonlyMap<string, Counted>,
  dimension: MetricDimension,
  entries: readonly MetricEntry[],
): ReadonlyMap<string, Counted> {
  const parts = entries.flatMap((entry) =>
    entry.values[dimension].map((value) => ({ value, entry })),
  );
  const added = Map.groupBy(parts, ({ value }) => value);
  const names = new Set([...values.keys(), ...added.keys()]);
  return new Map(
    [...names].map((name) => [
      name,
      sumCounted([
        values.get(name) ?? nothingCounted,
        // Of the five, only receivers have times of their own.
        ...(added.get(name) ?? []).map(({ entry }) => countedOf(entry, dimension === 'receiver')),
      ]),
    ]),
  );
}

function keepBusiest(values: ReadonlyMap<string, Counted>, most: number) {
  const kept = new Map<string, Counted>();
  let characters = 0;
  let dropped = 0;
  for (const [name, counted] of busiestFirst(values)) {
    characters += name.length;
    if (kept.size < most && characters <= maxNameCharacters) kept.set(name, counted);
    else dropped += weightOf(counted);
  }
  return { values: kept, dropped };
}

/** Equals alphabetically. */
export const busiestFirst = (
  values: ReadonlyMap<string, Counted>,
): readonly (readonly [string, Counted])[] =>
  [...values].sort(
    ([one, more], [other, less]) => weightOf(less) - weightOf(more) || (one < other ? -1 : 1),
  );

/** Emails, or as many as are known of. An email is often delivered in another hour than it was sent in. */
const weightOf = ({ figures }: Counted): number =>
  Math.max(0, ...metricFigures.map((name) => figures[name] ?? 0));

const countedOf = ({ figure, tookMs, reason }: MetricEntry, hasTimes: boolean): Counted => ({
  figures: { [figure]: 1 },
  times: hasTimes && tookMs !== undefined ? new Map([[bucketOf(tookMs), 1]]) : noTimes,
  reasons: reason === undefined ? {} : { [reason]: 1 },
});

export function sumCounted(all: readonly Counted[]): Counted {
  if (all.length === 1 && all[0] !== undefined) return all[0];
  return {
    figures: sumFigures(all.map(({ figures }) => figures)),
    times: sumTimes(all.map(({ times }) => times)),
    reasons: sumReasons(all),
  };
}

function sumReasons(all: readonly Counted[]): Counted['reasons'] {
  const sums: Partial<Record<UndeliveredReason, number>> = {};
  for (const { reasons } of all) {
    for (const reason of undeliveredReasons) {
      const count = reasons[reason];
      if (count !== undefined) sums[reason] = (sums[reason] ?? 0) + count;
    }
  }
  return sums;
}

export function sumHours(hours: readonly HourMetrics[]): HourMetrics {
  const sumOf = (dimension: MetricDimension) => {
    const rows = hours.flatMap(({ by }) => [...by[dimension]]);
    const groups = Map.groupBy(rows, ([name]) => name);
    return new Map(
      [...groups].map(([name, group]) => [name, sumCounted(group.map(([, counted]) => counted))]),
    );
  };
  return {
    all: sumCounted([nothingCounted, ...hours.map(({ all }) => all)]),
    by: byDimension(sumOf),
    lacking: byDimension((dimension) =>
      hours.reduce((sum, one) => sum + one.lacking[dimension], 0),
    ),
  };
}
