import { requireScope } from '#shared/organizations/api-key';
import {
  type AuthenticationDependencies,
  authenticateKey,
} from '#shared/organizations/authenticate-caller';
import { type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { type Period, periodOf } from '#shared/usage/month';
import type { MonthlyUsage } from '#shared/usage/usage-store';
import { summarizeUsage, type UsageSummary } from '#shared/usage/usage-summary';
import type { UsageQuery } from './schema.ts';

export type GetUsageDependencies = AuthenticationDependencies & {
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
  const apiKey = await authenticateKey(credential, dependencies);
  requireScope(apiKey, 'manage_organization');
  const period = periodOf(parse(), dependencies.now());
  return summarizeUsage(period, await dependencies.readUsage(organizationIdOf(apiKey.id), period));
}
