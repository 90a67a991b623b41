import type { RequestTo } from '#shared/endpoints/endpoint';
import { dayPeriodOf } from '#shared/usage/day';
import { monthOfDay, periodOf } from '#shared/usage/month';
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
};

/** Answers what the organization used, by month or by day. */
export async function getUsage(
  { caller: { organizationId }, query: { by, from, to } }: RequestTo<typeof endpoint>,
  { now: readClock, usage }: UsageReading,
): Promise<UsageSummary | DailySummary> {
  const now = readClock();
  if (by === 'day') {
    const days = dayPeriodOf({ from, to }, now);
    return summarizeDays(days, await usage.readDays(organizationId, days));
  }
  const period = periodOf({ from: from && monthOfDay(from), to: to && monthOfDay(to) }, now);
  return summarizeUsage(period, await usage.read(organizationId, period));
}
