import { type Change, newAuditEntry } from '#shared/audit/audit-entry';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { type ApiKeyId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import { type ApiKey, apiKeyStatusOf } from './api-key.ts';
import type { ApiKeyManagement } from './api-key-management.ts';
import type { Manager } from './authenticate-manager.ts';
import { hasScope } from './scopes.ts';

/** What becomes of a key. */
export type PlannedChange = {
  readonly after: ApiKey;
  readonly successor?: ApiKey;
  readonly change: Omit<Change, 'target'>;
};

const maxTries = 3;

/**
 * Changes a key of the manager's organization. If another request changes it at the same moment, the change
 * is planned once more, for the key that the other request left.
 *
 * An organization keeps a key that may manage it: of two managers that revoke each other at once, one wins.
 *
 * @param plan says what becomes of the key, or `undefined` when there is nothing to change.
 * @returns the key as it is then.
 * @throws ServiceError `api_key_not_found`, `last_manager_key`, `concurrent_change`
 */
export async function changeApiKey(
  id: ApiKeyId | undefined,
  { organizationId, actor }: Manager,
  plan: (before: ApiKey, now: number) => PlannedChange | undefined,
  { now: readClock, apiKeys, apiKeyChanges }: ApiKeyManagement,
): Promise<ApiKey> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await findApiKey(id, organizationId, apiKeys);
    const now = readClock();
    const planned = plan(before, now);
    if (planned === undefined) return before;
    const { successor, change } = planned;
    const after = { ...planned.after, updatedAt: Math.max(now, before.updatedAt + 1) };
    const stopsManaging = managesAt(before, now) && !managesAt(successor ?? after, now);
    const witness = stopsManaging
      ? { id: await otherManager(organizationId, before.id, now, apiKeyChanges), now }
      : undefined;
    const entry = newAuditEntry(organizationId, actor, { ...change, target: before.id }, now);
    const outcome = await apiKeyChanges.change({ before, after, successor, witness }, entry);
    if (outcome === 'stored') return after;
  }
  throw new ServiceError(
    'concurrent_change',
    'The API key is being changed by other requests. Read it again, then repeat your change.',
  );
}

/** @throws ServiceError `validation_failed` */
export function requireFuture(validUntil: number | null | undefined, now: number): void {
  if (validUntil === undefined || validUntil === null || validUntil > now) return;
  throw invalidField('validUntil', 'must lie in the future; to end a key now, revoke it');
}

/** @throws ServiceError `api_key_revoked` */
export function requireNotRevoked(apiKey: ApiKey, now: number): void {
  if (apiKeyStatusOf(apiKey, now) !== 'revoked') return;
  throw new ServiceError(
    'api_key_revoked',
    'This API key is revoked, and stays so. Create another one.',
  );
}

/** What an entry tells of a key. */
export const auditedSettingsOf = ({
  name,
  scopes,
  perMinuteCap,
  dailyCap,
  validUntil,
}: ApiKey) => ({
  name,
  scopes,
  perMinuteCap,
  dailyCap,
  validUntil,
});

const managesAt = (apiKey: ApiKey, now: number): boolean =>
  apiKeyStatusOf(apiKey, now) === 'active' && hasScope(apiKey.scopes, 'manage_organization');

async function otherManager(
  organizationId: OrganizationId,
  except: ApiKeyId,
  now: number,
  { findOtherManager }: ApiKeyManagement['apiKeyChanges'],
): Promise<ApiKeyId> {
  const other = await findOtherManager(organizationId, except, now);
  if (other !== undefined) return other;
  throw new ServiceError(
    'last_manager_key',
    'No other API key of the organization has manage_organization: without this one nobody could manage it. Rotate it, or create another such key first.',
  );
}

async function findApiKey(
  id: ApiKeyId | undefined,
  organizationId: OrganizationId,
  apiKeys: ApiKeyManagement['apiKeys'],
): Promise<ApiKey> {
  const apiKeyId = ownId(id, organizationId);
  const found = apiKeyId && (await apiKeys.get(apiKeyId));
  if (found !== undefined) return found.apiKey;
  throw new ServiceError('api_key_not_found', 'There is no API key with this id.');
}
