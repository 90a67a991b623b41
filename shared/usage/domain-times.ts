import {
  type DeliveryTimes,
  noTimes,
  sumTimes,
  type TimeToDelivery,
  timesOf,
  timeToDelivery,
} from './delivery-times.ts';
import { addTags, byCount, maxShown, noTags, sumTags, type TagSummary } from './tag-summary.ts';

/**
 * Domains are counted like tags. A domain's times start when it gets a counter, so they may cover more or fewer
 * deliveries than its figure.
 */
export type DomainSummary = {
  readonly counted: TagSummary;
  readonly times: ReadonlyMap<string, DeliveryTimes>;
};

export const noDomains: DomainSummary = { counted: noTags, times: new Map() };

type DomainDelivery = { readonly domain: string; readonly tookMs: number };

/** Adds as many as fit a summary. */
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

export function sumDomains(summaries: readonly DomainSummary[]): DomainSummary {
  const counted = sumTags(summaries.map((one) => one.counted));
  const times = [...counted.sends.keys()].map(
    (domain) =>
      [domain, sumTimes(summaries.map((one) => one.times.get(domain) ?? noTimes))] as const,
  );
  return { counted, times: new Map(times) };
}

/** With fewer, a domain isn't shown: it may be one person's, and a percentile of so few says little. */
export const leastDeliveriesShown = 20;

/** For the same reason, shorter than other figures. */
export const domainsKeptDays = 100;

type BusyDomain = TimeToDelivery & { readonly domain: string };

export const busiestDomains = ({ counted, times }: DomainSummary): readonly BusyDomain[] =>
  byCount(counted.sends)
    .slice(0, maxShown)
    .flatMap(([domain, deliveries]) => {
      const took = timeToDelivery(times.get(domain) ?? noTimes);
      return took === undefined || deliveries < leastDeliveriesShown
        ? []
        : [{ domain, ...took, deliveries }];
    });
