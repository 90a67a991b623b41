import * as z from 'zod/mini';
import { isExpired, toSeconds } from '#shared/table/expiry';
import { domainTimesKey, domainTimesOf } from '#shared/table/keys';
import { queryAll, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { dayMs } from '#shared/timing/day';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { addToSummary } from './counter-store.ts';
import { noTimes } from './delivery-times.ts';
import {
  addDomains,
  type DomainSummary,
  domainsKeptDays,
  noDomains,
  sumDomains,
} from './domain-times.ts';
import type { Month } from './month.ts';
import type { UsageTally } from './usage-tally.ts';

export const addDomainTimes = (
  table: Table,
  shardId: string,
  { organizationId, month, entries }: UsageTally,
): Promise<void> =>
  addToSummary<DomainSummary>(
    table,
    {
      key: domainTimesKey(organizationId, month, shardId),
      none: noDomains,
      read: toSummary,
      add: (summary, left) =>
        addDomains(
          summary,
          left.flatMap(({ delivery }) => {
            const { domain, tookMs } = delivery ?? {};
            return domain === undefined || tookMs === undefined ? [] : [{ domain, tookMs }];
          }),
        ),
      attributesOf: ({ counted, times }) => ({
        month,
        domains: Object.fromEntries(
          [...counted.sends].map(([domain, count]) => [
            domain,
            { count, ...Object.fromEntries(times.get(domain) ?? noTimes) },
          ]),
        ),
        lacking: counted.lacking,
        expiresAt: toSeconds(Date.parse(`${month}-28`) + domainsKeptDays * dayMs),
      }),
    },
    entries.filter(({ delivery }) => delivery?.domain !== undefined),
  );

export async function readDomainTimes(
  table: Table,
  organizationId: OrganizationId,
  month: Month,
  now: number,
): Promise<DomainSummary> {
  const items = await queryAll(table, domainTimesOf(organizationId, month));
  return sumDomains(items.filter((item) => !isExpired(item, now)).map(toSummary));
}

const storedSchema = z.object({
  /** All deliveries, and the number in each bucket of time. */
  domains: z.record(z.string(), z.catchall(z.object({ count: z.int() }), z.int())),
  lacking: z.int(),
});

function toSummary(item: StoredItem): DomainSummary {
  const { domains, lacking } = readItem('usage by domain', storedSchema, item);
  const read = Object.entries(domains).map(([domain, { count, ...took }]) => {
    const times = Object.entries(took).map(([bucket, times]) => [Number(bucket), times] as const);
    return { domain, count, times: new Map(times) };
  });
  return {
    counted: { sends: new Map(read.map(({ domain, count }) => [domain, count])), lacking },
    times: new Map(read.map(({ domain, times }) => [domain, times])),
  };
}
