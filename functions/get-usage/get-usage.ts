import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { dayPeriodOf } from '#shared/usage/day';
import { monthOfDay, periodOf } from '#shared/usage/month';
import type { UsageStore } from '#shared/usage/usage-store';
import {
  type DailySummary,
  summarizeDays,
  summarizeUsage,
  type UsageSummary,
} from '#shared/usage/usage-summary';
import type { UsageQuery } from './endpoint.ts';

/**
 * Answers what the key's organization used, month by month or day by day.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function getUsage(
  credential: string | undefined,
  parse: () => UsageQuery,
  { usage, ...authentication }: Authentication & { usage: UsageStore },
): Promise<UsageSummary | DailySummary> {
  const { organizationId } = await authenticateManager(credential, authentication);
  const { by, from, to } = parse();
  const now = authentication.now();
  if (by === 'day') {
    const days = dayPeriodOf({ from, to }, now);
    return summarizeDays(days, await usage.readDays(organizationId, days));
  }
  const period = periodOf({ from: from && monthOfDay(from), to: to && monthOfDay(to) }, now);
  return summarizeUsage(period, await usage.read(organizationId, period));
}
