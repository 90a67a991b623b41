import * as z from 'zod/mini';
import { dayQuotas } from '#shared/config/day-quotas';
import { dayQuotaSortKeyPrefix, organizationOfPartition } from '#shared/table/keys';
import { dayMs, dayOf } from '#shared/timing/day';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { LimitUse } from './quota-notices.ts';
import { changeSchema, number } from './stream-record.ts';

/** How a batch of the stream changed an organization's use of a day. */
export type QuotaTally = {
  readonly organizationId: OrganizationId;
  readonly use: LimitUse;
  readonly usedBefore: number;
};

/** Limits that requests count themselves: `access/day-quota-store.ts`. */
export function tallyQuotas(records: readonly unknown[]): readonly QuotaTally[] {
  const tallies = new Map<string, QuotaTally>();
  for (const record of records) {
    const tally = readQuotaChange(record);
    if (tally === undefined) continue;
    const { organizationId, use } = tally;
    const name = [organizationId, use.limit, use.day].join(' ');
    const before = tallies.get(name);
    tallies.set(name, before === undefined ? tally : joined(before, tally));
  }
  return [...tallies.values()];
}

const joined = (before: QuotaTally, { use, ...tally }: QuotaTally): QuotaTally => ({
  ...tally,
  usedBefore: before.usedBefore,
  use: { ...use, isFull: use.isFull || before.use.isFull },
});

const imageSchema = z.object({
  used: z.optional(number),
  most: z.optional(number),
  /** The limit for which the day was last found full. */
  fullAt: z.optional(number),
});

/** A count from before an upgrade has no `most`, and deleting one is no use: both tell nothing. */
function readQuotaChange(record: unknown): QuotaTally | undefined {
  const change = changeSchema.safeParse(record).data?.dynamodb;
  if (change === undefined) return undefined;
  const { Keys, OldImage = {}, NewImage = {} } = change;
  const organizationId = organizationOfPartition(Keys.pk.S);
  const limit = quotaAt(Keys.sk.S);
  const now = imageSchema.safeParse(NewImage).data;
  const before = imageSchema.safeParse(OldImage).data;
  if (organizationId === undefined || limit === undefined || !now?.used || !now.most) {
    return undefined;
  }
  const isFull = now.fullAt !== undefined && now.fullAt !== before?.fullAt;
  return {
    organizationId,
    usedBefore: before?.used ?? 0,
    use: { ...limit, used: now.used, most: now.most, isFull },
  };
}

function quotaAt(sortKey: string): Pick<LimitUse, 'limit' | 'day'> | undefined {
  for (const [quota, limit] of Object.entries(dayQuotas)) {
    const prefix = dayQuotaSortKeyPrefix(quota);
    if (!sortKey.startsWith(prefix)) continue;
    return { limit, day: dayOf(Number(sortKey.slice(prefix.length)) * dayMs) };
  }
  return undefined;
}
