import type { RequestTo } from '#shared/endpoints/endpoint';
import { dayPeriodOf } from '#shared/usage/day';
import type { DomainSummary } from '#shared/usage/domain-times';
import type { DomainTimesStore } from '#shared/usage/domain-times-store';
import { type Month, monthOfDay, periodOf } from '#shared/usage/month';
import type { TagSummary } from '#shared/usage/tag-summary';
import type { TagUsageStore } from '#shared/usage/tag-usage-store';
import type { UsageStore } from '#shared/usage/usage-store';
import {
  type DailySummary,
  summarizeDays,
  summarizeUsage,
  type UsageSummary,
} from '#shared/usage/usage-summary';
import type { endpoint } from './endpoint.ts';

export type UsageReading = {
  readonly now: () => number;
  readonly usage: Pick<UsageStore, 'read' | 'readDays'>;
  readonly tagUsage: Pick<TagUsageStore, 'read'>;
  readonly domainTimes: Pick<DomainTimesStore, 'read'>;
};

/** What a month's emails were tagged with. */
export type TaggedMonth = TagSummary & { readonly month: Month };
/** Where a month's emails were delivered to. */
export type MonthOfDomains = DomainSummary & { readonly month: Month };

type LastMonth = { readonly tags: TaggedMonth; readonly domains: MonthOfDomains };

/** Answers what the organization used, by month or by day, and tags and domains of the period's last month. */
export async function getUsage(
  { caller: { organizationId }, query: { by, from, to } }: RequestTo<typeof endpoint>,
  { now: readClock, usage, tagUsage, domainTimes }: UsageReading,
): Promise<(UsageSummary | DailySummary) & LastMonth> {
  const now = readClock();
  const lastMonth = async (month: Month): Promise<LastMonth> => {
    const [tags, domains] = await Promise.all([
      tagUsage.read(organizationId, month),
      domainTimes.read(organizationId, month, now),
    ]);
    return { tags: { month, ...tags }, domains: { month, ...domains } };
  };
  if (by === 'day') {
    const days = dayPeriodOf({ from, to }, now);
    const [parts, last] = await Promise.all([
      usage.readDays(organizationId, days),
      lastMonth(monthOfDay(days.to)),
    ]);
    return { ...summarizeDays(days, parts), ...last };
  }
  const period = periodOf({ from: from && monthOfDay(from), to: to && monthOfDay(to) }, now);
  const [parts, last] = await Promise.all([
    usage.read(organizationId, period),
    lastMonth(period.to),
  ]);
  return { ...summarizeUsage(period, parts), ...last };
}
