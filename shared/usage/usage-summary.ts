import type { Day } from '#shared/timing/day';
import { type DayPeriod, daysOf } from './day.ts';
import type { DailyUsage } from './day-counters.ts';
import {
  type DeliveryTimes,
  sumTimes,
  type TimeToDelivery,
  timeToDelivery,
} from './delivery-times.ts';
import { type Month, monthsOf, type Period } from './month.ts';
import { sumUsage, type UsageCounts } from './usage-counts.ts';
import type { MonthlyUsage } from './usage-store.ts';

export type Figures = UsageCounts & { readonly timeToDelivery: TimeToDelivery | undefined };

type Part = { readonly counts: UsageCounts; readonly times?: DeliveryTimes };

export const sumFigures = (parts: readonly Part[]): Figures => ({
  ...sumUsage(parts.map(({ counts }) => counts)),
  timeToDelivery: timeToDelivery(sumTimes(parts.flatMap(({ times }) => times ?? []))),
});

export type UsageSummary = Period & {
  readonly months: readonly (Figures & { readonly month: Month })[];
  readonly total: Figures;
};

export function summarizeUsage(period: Period, parts: readonly MonthlyUsage[]): UsageSummary {
  const byMonth = Map.groupBy(parts, ({ month }) => month);
  const months = monthsOf(period).map((month) => ({
    month,
    ...sumFigures(byMonth.get(month) ?? []),
  }));
  return { ...period, months, total: sumFigures(parts) };
}

export type DailySummary = DayPeriod & {
  readonly days: readonly (Figures & { readonly day: Day })[];
  readonly total: Figures;
};

export function summarizeDays(period: DayPeriod, parts: readonly DailyUsage[]): DailySummary {
  const byDay = Map.groupBy(parts, ({ day }) => day);
  const days = daysOf(period).map((day) => ({ day, ...sumFigures(byDay.get(day) ?? []) }));
  return { ...period, days, total: sumFigures(parts) };
}
