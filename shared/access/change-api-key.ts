import { type Change, newAuditEntry } from '#shared/audit/audit-entry';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import type { Table } from '#shared/table/table-client';
import { type ApiKeyId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import { type ApiKey, apiKeyStatusOf, listedForDays } from './api-key.ts';
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
export type ApiKeyChanging = Pick<ApiKeyManagement, 'now' | 'apiKeys'>;

/** What is to become of a key. */
export type PlannedChange = {
  readonly after: ApiKey;
  readonly successor?: ApiKey;
  readonly change: Omit<Change, 'target'>;
};

const maxTries = 3;

/**
 * Changes a key of the manager's organization. If another request changes the key at the same moment, the change is
 * planned again from what that request left.
 *
 * An organization always keeps a key that may manage it: if two managers revoke each other at once, one of them stays.
 *
 * @param plan what is to become of the key, or `undefined` when there is nothing to change.
 * @returns the key as it is now.
 * @throws ServiceError `api_key_not_found`, `last_manager_key`, `concurrent_change`
 */
export async function changeApiKey(
  id: ApiKeyId,
  { organizationId, actor }: Manager,
  plan: (before: ApiKey, now: number) => PlannedChange | undefined,
  { now: readClock, apiKeys }: ApiKeyChanging,
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
  throw new ServiceError('concurrent_change');
}

/** @throws ServiceError `validation_failed` */
export function requireFuture(validUntil: number | null | undefined, now: number): void {
  if (validUntil === undefined || validUntil === null || validUntil > now) return;
  throw invalidField('validUntil', 'must be in the future; to end a key now, revoke it');
}

/** @throws ServiceError `api_key_revoked` */
export function requireNotRevoked(apiKey: ApiKey, now: number): void {
  if (apiKeyStatusOf(apiKey, now) === 'revoked') throw new ServiceError('api_key_revoked');
}

/** What the audit keeps of a key. */
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
  apiKeys: Pick<ApiKeyStore, 'findOtherManager'>,
): Promise<ApiKeyId> {
  const other = await apiKeys.findOtherManager(organizationId, except, now);
  if (other === undefined) throw new ServiceError('last_manager_key');
  return other;
}

async function findApiKey(
  id: ApiKeyId,
  organizationId: OrganizationId,
  apiKeys: Pick<ApiKeyStore, 'get'>,
): Promise<ApiKey> {
  const apiKeyId = ownId(id, organizationId);
  const found = apiKeyId && (await apiKeys.get(apiKeyId));
  if (found === undefined) throw new ServiceError('api_key_not_found');
  return found.apiKey;
}

/**
 * Up to this many times the limit may be listed, because keys that ended stay listed. Without a limit on those, a loop
 * that creates and revokes would store keys without end.
 */
const listedFactor = 10;

/**
 * Refuses another key where the organization has reached its limit. A successor takes the place of a key, so it needs no
 * room among the valid ones: a key that must be rotated always can be.
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
  if (listed >= most) throw tooManyListed(most);
}

const tooManyListed = (most: number): ServiceError =>
  new ServiceError(
    'too_many_api_keys',
    `Your organization has created ${most} API keys, including those that ended in the last ${listedForDays} days. Wait until some of these are ${listedForDays} days past, or ask the operator for a higher limit.`,
  );
