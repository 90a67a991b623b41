import { type Actor, type AuditEntry, newAuditEntry } from '#shared/audit/audit-entry';
import { type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { type ApiKey, createApiKey } from './api-key.ts';
import { scopes } from './scopes.ts';

/** A new key and its text, which the caller is shown once. */
export type NewApiKey = { readonly text: string; readonly apiKey: ApiKey };

/** Makes a key that may do everything in its organization. */
export const newManagerKey = (organizationId: OrganizationId, now: number): NewApiKey =>
  createApiKey(organizationId, { name: 'manager', scopes: [...scopes], createdAt: now });

/** What the audit tells of a new key. */
export const apiKeyCreated = ({ id, name, ...apiKey }: ApiKey, actor: Actor): AuditEntry =>
  newAuditEntry(
    organizationIdOf(id),
    actor,
    { action: 'api_key.created', target: id, after: { name, scopes: apiKey.scopes } },
    apiKey.createdAt,
  );

/** The key as the answer to its creation shows it. */
export const toNewApiKeyView = ({ text, apiKey }: NewApiKey) => ({ ...apiKey, key: text });
