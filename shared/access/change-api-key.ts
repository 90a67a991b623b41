import { type Change, newAuditEntry } from '#shared/audit/audit-entry';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import { type ApiKeyId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import type { Authentication, Caller, Manager } from './admit-caller.ts';
import { type ApiKey, apiKeyStatusOf, isManager, listedForDays } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import { testScopes } from './scopes.ts';

export type ApiKeyManagement = Authentication & { readonly limitsOfDeployment: GivenLimits };
export type ApiKeyChanging = Pick<ApiKeyManagement, 'now' | 'apiKeys'>;

export type PlannedChange = {
  readonly after: ApiKey;
  readonly successor?: ApiKey;
  readonly change: Omit<Change, 'target'>;
};

const maxTries = 3;

/**
 * If another request changes the key at the same moment, plans again from the new state.
 *
 * An organization always keeps a key that can manage it: if two managers revoke each other at once, one key stays.
 *
 * @param plan returns the change, or `undefined` for none; throws to refuse.
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
    const stopsManaging = isManager(before, now) && !isManager(successor ?? after, now);
    const witness = stopsManaging
      ? { id: await otherManager(organizationId, before.id, now, apiKeys), now }
      : undefined;
    const entry = newAuditEntry(organizationId, actor, { ...change, target: before.id }, now);
    const outcome = await apiKeys.change({ before, after, successor, witness }, entry);
    if (outcome === 'stored') return after;
  }
  throw new ServiceError('concurrent_change');
}

export function requireFuture(validUntil: number | null | undefined, now: number): void {
  if (validUntil === undefined || validUntil === null || validUntil > now) return;
  throw invalidField('validUntil', 'must be in the future; to end a key now, revoke it');
}

export function requireNotRevoked(apiKey: ApiKey, now: number): void {
  if (apiKeyStatusOf(apiKey, now) === 'revoked') throw new ServiceError('api_key_revoked');
}

/** A test key stays a test key, and a real one stays real. */
export function requireTestScopes({ test, scopes }: Pick<ApiKey, 'test' | 'scopes'>): void {
  const isOfTests = (scope: string) => testScopes.some((one) => one === scope);
  if (!test || scopes.every(isOfTests)) return;
  throw invalidField('scopes', `must be ${testScopes.join(' or ')} for a test key`);
}

export const auditedSettingsOf = ({
  name,
  test,
  scopes,
  allowedFrom,
  perMinuteCap,
  dailyCap,
  validUntil,
}: ApiKey) => ({
  name,
  test,
  scopes,
  allowedFrom,
  perMinuteCap,
  dailyCap,
  validUntil,
});

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
 * Ended keys stay listed, so the list may grow to this many times the limit. Without a bound, a loop that creates and
 * revokes would store keys forever.
 */
const listedFactor = 10;

/** A successor needs no room among the valid keys, since it replaces one: a key that must be rotated always can be. */
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
    `Your organization has created ${most} API keys, including those that ended in the last ${listedForDays} days. Wait until some of those are older, or ask the operator for more.`,
  );
