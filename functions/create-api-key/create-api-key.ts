import { type NewApiKey, createApiKey as newApiKey } from '#shared/access/api-key';
import {
  type ApiKeyManagement,
  auditedSettingsOf,
  requireFuture,
  requireKeyRoom,
  requireTestScopes,
} from '#shared/access/change-api-key';
import { requireShownKey } from '#shared/access/sign-in';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { endpoint } from './endpoint.ts';

/** Creates an API key. If the answer with its text is lost, nobody can use the key; create another. */
export async function createApiKey(
  { caller, body }: RequestTo<typeof endpoint>,
  management: ApiKeyManagement,
): Promise<NewApiKey> {
  const { organizationId, actor, session } = caller;
  const now = management.now();
  requireShownKey(session, now);
  const { test, ...others } = body;
  const settings = { ...others, ...(test && { test }) };
  requireFuture(settings.validUntil, now);
  requireTestScopes(settings);
  await requireKeyRoom(caller, management);
  const created = newApiKey(organizationId, { ...settings, createdAt: now });
  const { apiKey } = created;
  const change = { action: 'api_key.created', target: apiKey.id, after: auditedSettingsOf(apiKey) };
  const entry = newAuditEntry(organizationId, actor, change, now);
  await management.apiKeys.create(apiKey, entry);
  return created;
}
