import type { Day } from '#shared/timing/day';
import { type DayPeriod, daysOf } from './day.ts';
import type { DailyUsage } from './day-counters.ts';
import { type Month, monthsOf, type Period } from './month.ts';
import { sumUsage, type UsageCounts } from './usage-counts.ts';
import type { MonthlyUsage } from './usage-store.ts';

/** An organization's usage of a period: every month, even unused ones, and their sum. */
export type UsageSummary = Period & {
  readonly months: readonly (UsageCounts & { readonly month: Month })[];
  readonly total: UsageCounts;
};

export function summarizeUsage(period: Period, parts: readonly MonthlyUsage[]): UsageSummary {
  const byMonth = Map.groupBy(parts, ({ month }) => month);
  const months = monthsOf(period).map((month) => ({
    month,
    ...sumUsage((byMonth.get(month) ?? []).map(({ counts }) => counts)),
  }));
  return { ...period, months, total: sumUsage(months) };
}

/** The same by day. */
export type DailySummary = DayPeriod & {
  readonly days: readonly (UsageCounts & { readonly day: Day })[];
  readonly total: UsageCounts;
};

export function summarizeDays(period: DayPeriod, parts: readonly DailyUsage[]): DailySummary {
  const byDay = Map.groupBy(parts, ({ day }) => day);
  const days = daysOf(period).map((day) => ({
    day,
    ...sumUsage((byDay.get(day) ?? []).map(({ counts }) => counts)),
  }));
  return { ...period, days, total: sumUsage(days) };
}
