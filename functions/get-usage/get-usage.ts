import type { RequestTo } from '#shared/endpoints/endpoint';
import { dayPeriodOf } from '#shared/usage/day';
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
};

/** What a month's emails were tagged with. */
export type TaggedMonth = TagSummary & { readonly month: Month };

/** Answers what the organization used, by month or by day, and the tags of the period's last month. */
export async function getUsage(
  { caller: { organizationId }, query: { by, from, to } }: RequestTo<typeof endpoint>,
  { now: readClock, usage, tagUsage }: UsageReading,
): Promise<(UsageSummary | DailySummary) & { readonly tags: TaggedMonth }> {
  const now = readClock();
  const tagsOf = async (month: Month): Promise<TaggedMonth> => ({
    month,
    ...(await tagUsage.read(organizationId, month)),
  });
  if (by === 'day') {
    const days = dayPeriodOf({ from, to }, now);
    const [parts, tags] = await Promise.all([
      usage.readDays(organizationId, days),
      tagsOf(monthOfDay(days.to)),
    ]);
    return { ...summarizeDays(days, parts), tags };
  }
  const period = periodOf({ from: from && monthOfDay(from), to: to && monthOfDay(to) }, now);
  const [parts, tags] = await Promise.all([usage.read(organizationId, period), tagsOf(period.to)]);
  return { ...summarizeUsage(period, parts), tags };
}
