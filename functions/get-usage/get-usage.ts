import type { RequestTo } from '#shared/endpoints/endpoint';
import { type DayPeriod, dayPeriodOf, daysBeforePeriod } from '#shared/usage/day';
import type { DomainSummary } from '#shared/usage/domain-times';
import type { DomainTimesStore } from '#shared/usage/domain-times-store';
import { type Month, monthOfDay, monthsBeforePeriod, periodOf } from '#shared/usage/month';
import type { TagSummary } from '#shared/usage/tag-summary';
import type { TagUsageStore } from '#shared/usage/tag-usage-store';
import type { UsageStore } from '#shared/usage/usage-store';
import {
  type DailySummary,
  type Figures,
  sumFigures,
  summarizeDays,
  summarizeUsage,
  type UsageSummary,
} from '#shared/usage/usage-summary';
import type { endpoint } from './endpoint.ts';

type UsageReading = {
  readonly now: () => number;
  readonly usage: Pick<UsageStore, 'read' | 'readDays'>;
  readonly tagUsage: Pick<TagUsageStore, 'read'>;
  readonly domainTimes: Pick<DomainTimesStore, 'read'>;
};

type TaggedMonth = TagSummary & { readonly month: Month };
type MonthOfDomains = DomainSummary & { readonly month: Month };

type LastMonth = { readonly tags: TaggedMonth; readonly domains: MonthOfDomains };
/** The same number of months or days right before. */
type Previous = { readonly previous?: DayPeriod & { readonly total: Figures } };

/** Tags and domains are those of the period's last month. */
export async function getUsage(
  request: RequestTo<typeof endpoint>,
  reading: UsageReading,
): Promise<(UsageSummary | DailySummary) & LastMonth & Previous> {
  const { organizationId } = request.caller;
  const now = reading.now();
  const { by, from, to } = request.query;
  const isCompared = request.query.previous === 'true';
  const lastMonth = async (month: Month): Promise<LastMonth> => {
    const [tags, domains] = await Promise.all([
      reading.tagUsage.read(organizationId, month),
      reading.domainTimes.read(organizationId, month, now),
    ]);
    return { tags: { month, ...tags }, domains: { month, ...domains } };
  };
  if (by === 'day') {
    const days = dayPeriodOf({ from, to }, now);
    const before = daysBeforePeriod(days);
    const [parts, last] = await Promise.all([
      reading.usage.readDays(organizationId, isCompared ? { ...days, from: before.from } : days),
      lastMonth(monthOfDay(days.to)),
    ]);
    const [earlier, asked] = splitAt(parts, ({ day }) => day < days.from);
    const previous = { ...before, total: sumFigures(earlier) };
    return { ...summarizeDays(days, asked), ...last, ...(isCompared && { previous }) };
  }
  const months = periodOf({ from: from && monthOfDay(from), to: to && monthOfDay(to) }, now);
  const before = monthsBeforePeriod(months);
  const [parts, last] = await Promise.all([
    reading.usage.read(organizationId, isCompared ? { ...months, from: before.from } : months),
    lastMonth(months.to),
  ]);
  const [earlier, asked] = splitAt(parts, ({ month }) => month < months.from);
  const previous = { ...before, total: sumFigures(earlier) };
  return { ...summarizeUsage(months, asked), ...last, ...(isCompared && { previous }) };
}

const splitAt = <Part>(
  parts: readonly Part[],
  isEarlier: (part: Part) => boolean,
): readonly [earlier: readonly Part[], asked: readonly Part[]] => [
  parts.filter(isEarlier),
  parts.filter((part) => !isEarlier(part)),
];
