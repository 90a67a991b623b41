import { limitsInForce, requireRoom, tooMany } from '#shared/organizations/organization-limits';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { ApiKeyManagement } from './api-key-management.ts';
import type { ListingManager } from './authenticate-manager.ts';

/**
 * So many times the limit may be listed: keys that are revoked or expired are for 30 days. Else a loop of creating and
 * revoking would store keys without end.
 */
const listedFactor = 10;

/**
 * Refuses one key more where the organization has its number. A successor takes the place of a key, so it needs no
 * room among the valid ones: whoever must rotate a key can.
 *
 * @throws ServiceError `too_many_api_keys`
 */
export async function requireKeyRoom(
  {
    organizationId,
    ownLimits,
  }: Pick<ListingManager, 'ownLimits'> & { organizationId: OrganizationId },
  { now, apiKeyChanges, limitsOfDeployment }: ApiKeyManagement,
  kind: 'new' | 'successor' = 'new',
): Promise<void> {
  const limits = limitsInForce(ownLimits, limitsOfDeployment);
  const most = listedFactor * (limits('apiKeys') ?? Infinity);
  const { valid, listed } = await apiKeyChanges.count(organizationId, now(), most);
  if (kind === 'new') requireRoom('apiKeys', valid, limits);
  if (listed >= most) throw tooMany('apiKeys', most);
}
