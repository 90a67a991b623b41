import { type ApiKey, apiKeyStatusOf } from '#shared/access/api-key';
import { authenticateManager } from '#shared/access/authenticate';
import {
  type ApiKeyManagement,
  auditedSettingsOf,
  changeApiKey,
} from '#shared/access/change-api-key';
import type { ApiKeyId } from '#shared/tokens/resource-id';

/**
 * Revokes an API key: its next request is refused. To revoke a key again changes nothing. A key may revoke
 * itself, unless it is the last that may manage the organization.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `api_key_not_found`, `last_manager_key`,
 *   `concurrent_change`
 */
export async function revokeApiKey(
  credential: string | undefined,
  id: ApiKeyId | undefined,
  management: ApiKeyManagement,
): Promise<void> {
  const manager = await authenticateManager(credential, management);
  await changeApiKey(id, manager, planRevocation, management);
}

function planRevocation(before: ApiKey, now: number) {
  if (apiKeyStatusOf(before, now) === 'revoked') return undefined;
  return {
    after: { ...before, revokedAt: now },
    change: { action: 'api_key.revoked', before: auditedSettingsOf(before) },
  };
}
