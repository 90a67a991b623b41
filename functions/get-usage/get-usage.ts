import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Period, periodOf } from '#shared/usage/month';
import type { MonthlyUsage } from '#shared/usage/usage-store';
import { summarizeUsage, type UsageSummary } from '#shared/usage/usage-summary';
import type { UsageQuery } from './schema.ts';

export type GetUsageDependencies = Authentication & {
  readonly readUsage: (organizationId: OrganizationId, period: Period) => Promise<MonthlyUsage[]>;
};

/**
 * Answers what the key's organization used, month by month.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function getUsage(
  credential: string | undefined,
  parse: () => UsageQuery,
  dependencies: GetUsageDependencies,
): Promise<UsageSummary> {
  const organizationId = await authenticateManager(credential, dependencies);
  const period = periodOf(parse(), dependencies.now());
  return summarizeUsage(period, await dependencies.readUsage(organizationId, period));
}
