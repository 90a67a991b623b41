import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateManager } from '#shared/organizations/authenticate-manager';
import { periodOf } from '#shared/usage/month';
import type { UsageStore } from '#shared/usage/usage-store';
import { summarizeUsage, type UsageSummary } from '#shared/usage/usage-summary';
import type { UsageQuery } from './schema.ts';

/**
 * Answers what the key's organization used, month by month.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function getUsage(
  credential: string | undefined,
  parse: () => UsageQuery,
  { usage, ...authentication }: Authentication & { usage: UsageStore },
): Promise<UsageSummary> {
  const { organizationId } = await authenticateManager(credential, authentication);
  const period = periodOf(parse(), authentication.now());
  return summarizeUsage(period, await usage.read(organizationId, period));
}
