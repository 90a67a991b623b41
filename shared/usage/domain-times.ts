import {
  type DeliveryTimes,
  noTimes,
  sumTimes,
  type TimeToDelivery,
  timesOf,
  timeToDelivery,
} from './delivery-times.ts';
import { addTags, byCount, mostShown, noTags, sumTags, type TagSummary } from './tag-summary.ts';

/**
 * The deliveries of the busiest receiving domains, counted as tags are, and how long they took. A domain's times are those
 * since it has a counter, so they may be of more or fewer deliveries than its figure, which may lack some.
 */
export type DomainSummary = {
  readonly counted: TagSummary;
  readonly times: ReadonlyMap<string, DeliveryTimes>;
};

export const noDomains: DomainSummary = { counted: noTags, times: new Map() };

export type DomainDelivery = { readonly domain: string; readonly tookMs: number };

/** Counts further deliveries, within what fits a summary. */
export function addDomains(
  { counted, times }: DomainSummary,
  deliveries: readonly DomainDelivery[],
): DomainSummary {
  const added = addTags(
    counted,
    deliveries.map(({ domain }) => domain),
  );
  const news = Map.groupBy(deliveries, ({ domain }) => domain);
  const kept = [...added.sends.keys()].map((domain) => {
    const took = (news.get(domain) ?? []).map(({ tookMs }) => tookMs);
    return [domain, sumTimes([times.get(domain) ?? noTimes, timesOf(took)])] as const;
  });
  return { counted: added, times: new Map(kept) };
}

/** Sums of several summaries. */
export function sumDomains(summaries: readonly DomainSummary[]): DomainSummary {
  const counted = sumTags(summaries.map((one) => one.counted));
  const times = [...counted.sends.keys()].map(
    (domain) =>
      [domain, sumTimes(summaries.map((one) => one.times.get(domain) ?? noTimes))] as const,
  );
  return { counted, times: new Map(times) };
}

/** A domain with fewer isn't shown: it may be one person's, and a percentile of so few says little. */
export const leastDeliveriesShown = 20;

/** For the same reason it isn't kept as long as figures are. */
export const domainsKeptDays = 100;

export type BusyDomain = TimeToDelivery & { readonly domain: string };

/** The ten domains with the most deliveries. */
export const busiestDomains = ({ counted, times }: DomainSummary): readonly BusyDomain[] =>
  byCount(counted.sends)
    .slice(0, mostShown)
    .flatMap(([domain, deliveries]) => {
      const took = timeToDelivery(times.get(domain) ?? noTimes);
      return took === undefined || deliveries < leastDeliveriesShown
        ? []
        : [{ domain, ...took, deliveries }];
    });
