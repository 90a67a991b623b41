import { type ApiKey, createApiKey as newApiKey } from '#shared/access/api-key';
import { authenticateManager } from '#shared/access/authenticate';
import {
  type ApiKeyManagement,
  auditedSettingsOf,
  requireFuture,
  requireKeyRoom,
} from '#shared/access/change-api-key';
import { requireShownKey } from '#shared/access/sign-in';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { CreateApiKeyRequest } from './endpoint.ts';

/**
 * Creates an API key. If the answer with its text is lost, the key is of no use to anybody; another one can
 * be made.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`,
 *   `key_confirmation_required`, `too_many_api_keys`
 */
export async function createApiKey(
  credential: string | undefined,
  parse: () => CreateApiKeyRequest,
  management: ApiKeyManagement,
): Promise<{ readonly text: string; readonly apiKey: ApiKey }> {
  const manager = await authenticateManager(credential, management);
  const { organizationId, actor, session } = manager;
  const now = management.now();
  requireShownKey(session, now);
  const settings = parse();
  requireFuture(settings.validUntil, now);
  await requireKeyRoom(manager, management);
  const created = newApiKey(organizationId, { ...settings, createdAt: now });
  const { apiKey } = created;
  const change = { action: 'api_key.created', target: apiKey.id, after: auditedSettingsOf(apiKey) };
  const entry = newAuditEntry(organizationId, actor, change, now);
  await management.apiKeys.create(apiKey, entry);
  return created;
}
