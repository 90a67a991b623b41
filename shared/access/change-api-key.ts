import { type Change, newAuditEntry } from '#shared/audit/audit-entry';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
  tooMany,
} from '#shared/organizations/organization-limits';
import type { Table } from '#shared/table/table-client';
import { type ApiKeyId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import { type ApiKey, apiKeyStatusOf } from './api-key.ts';
import { type ApiKeyStore, openApiKeyStore } from './api-key-store.ts';
import type { Caller, Manager } from './authenticate.ts';
import { hasScope } from './scopes.ts';

/** What managing the API keys of an organization uses. */
export const openApiKeyManagement = (table: Table, limitsOfDeployment: GivenLimits = {}) => ({
  limitsOfDeployment,
  now: Date.now,
  apiKeys: openApiKeyStore(table),
});
export type ApiKeyManagement = ReturnType<typeof openApiKeyManagement>;

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
  { now: readClock, apiKeys }: ApiKeyManagement,
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
      ? { id: await otherManager(organizationId, before.id, now, apiKeys), now }
      : undefined;
    const entry = newAuditEntry(organizationId, actor, { ...change, target: before.id }, now);
    const outcome = await apiKeys.change({ before, after, successor, witness }, entry);
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
  apiKeys: ApiKeyStore,
): Promise<ApiKeyId> {
  const other = await apiKeys.findOtherManager(organizationId, except, now);
  if (other !== undefined) return other;
  throw new ServiceError(
    'last_manager_key',
    'No other API key of the organization has manage_organization: without this one nobody could manage it. Rotate it, or create another such key first.',
  );
}

async function findApiKey(
  id: ApiKeyId | undefined,
  organizationId: OrganizationId,
  apiKeys: ApiKeyStore,
): Promise<ApiKey> {
  const apiKeyId = ownId(id, organizationId);
  const found = apiKeyId && (await apiKeys.get(apiKeyId));
  if (found !== undefined) return found.apiKey;
  throw new ServiceError('api_key_not_found', 'There is no API key with this id.');
}

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
  { organizationId, ownLimits }: Pick<Caller, 'ownLimits' | 'organizationId'>,
  { now, apiKeys, limitsOfDeployment }: ApiKeyManagement,
  kind: 'new' | 'successor' = 'new',
): Promise<void> {
  const limits = limitsInForce(ownLimits, limitsOfDeployment);
  const most = listedFactor * (limits('apiKeys') ?? Infinity);
  const { valid, listed } = await apiKeys.count(organizationId, now(), most);
  if (kind === 'new') requireRoom('apiKeys', valid, limits);
  if (listed >= most) throw tooMany('apiKeys', most);
}
