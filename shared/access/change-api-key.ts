import { type Change, newAuditEntry } from '#shared/audit/audit-entry';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  requireBelowLimit,
} from '#shared/organizations/limits-in-force';
import type { Table, TableAndClock } from '#shared/table/table-client';
import { type ApiKeyId, type OrganizationId, ownId } from '#shared/tokens/resource-id';
import type { Caller, Manager } from './admit-caller.ts';
import {
  type ApiKey,
  apiKeyStatusOf,
  isManager,
  listedForDays,
  maySignIn,
  signedOut,
} from './api-key.ts';
import { countApiKeys, findOtherManager, getApiKey, storeApiKeyChange } from './api-key-store.ts';
import { hasScope, isOfSender, missingScope, testScopes } from './scopes.ts';

export type ApiKeyManagement = TableAndClock & { readonly limitsOfDeployment: GivenLimits };

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
export const changeApiKey = (
  id: ApiKeyId,
  manager: Manager,
  plan: (before: ApiKey, now: number) => PlannedChange | undefined,
  changing: TableAndClock,
): Promise<ApiKey> => change(id, manager, { select: keyOfProgram, plan }, changing);

/** As `changeApiKey`, of a person. */
export const changePersonalKey = (
  id: ApiKeyId,
  manager: Manager,
  plan: (before: PersonalKey, now: number) => PlannedChange | undefined,
  changing: TableAndClock,
): Promise<ApiKey> => change(id, manager, { select: keyOfPerson, plan }, changing);

export type PersonalKey = ApiKey & { readonly person: NonNullable<ApiKey['person']> };

/** Ends their sessions. The audit goes on naming them. Nothing to do if they were removed before. */
export const plannedRemoval = (before: PersonalKey, now: number): PlannedChange | undefined =>
  before.revokedAt === undefined
    ? {
        after: { ...signedOut(before), revokedAt: now },
        change: { action: 'person.removed', before: { role: before.person.role } },
      }
    : undefined;

function keyOfProgram(found: ApiKey | undefined): ApiKey {
  if (found === undefined || found.person !== undefined) {
    throw new ServiceError('api_key_not_found');
  }
  return found;
}

function keyOfPerson(found: ApiKey | undefined): PersonalKey {
  if (found?.person === undefined) throw new ServiceError('person_not_found');
  return { ...found, person: found.person };
}

type KindOfChange<Key> = {
  /** Throws unless it's of the kind to change. */
  readonly select: (found: ApiKey | undefined) => Key;
  readonly plan: (before: Key, now: number) => PlannedChange | undefined;
};

async function change<Key extends ApiKey>(
  id: ApiKeyId,
  { organizationId, actor }: Manager,
  { select, plan }: KindOfChange<Key>,
  { table, now: readClock }: TableAndClock,
): Promise<ApiKey> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = select(await findApiKey(table, id, organizationId));
    const now = readClock();
    const planned = plan(before, now);
    if (planned === undefined) return before;
    const { successor, change } = planned;
    const after = { ...planned.after, updatedAt: Math.max(now, before.updatedAt + 1) };
    // Somebody invited may come in between, which doesn't change the version.
    const mayManage = maySignIn(before, now) && hasScope(before.scopes, 'manage_organization');
    const stopsManaging = mayManage && !isManager(successor ?? after, now);
    const witness = stopsManaging
      ? { id: await otherManager(table, organizationId, before.id, now), now }
      : undefined;
    const entry = newAuditEntry(organizationId, actor, { ...change, target: before.id }, now);
    const update = { before, after, successor, witness };
    const outcome = await storeApiKeyChange(table, update, entry);
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

/** With `sending_keys_manage` alone, a caller makes, changes and ends only keys that send: others may do more. */
export function requireManaging(
  { apiKey }: Pick<Caller, 'apiKey'>,
  ...keys: readonly Pick<ApiKey, 'test' | 'scopes'>[]
): void {
  if (hasScope(apiKey.scopes, 'manage_organization') || keys.every(isOfSender)) return;
  throw missingScope(apiKey, 'manage_organization');
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
  table: Table,
  organizationId: OrganizationId,
  except: ApiKeyId,
  now: number,
): Promise<ApiKeyId> {
  const other = await findOtherManager(table, organizationId, except, now);
  if (other === undefined) throw new ServiceError('last_manager_key');
  return other;
}

async function findApiKey(
  table: Table,
  id: ApiKeyId,
  organizationId: OrganizationId,
): Promise<ApiKey | undefined> {
  const apiKeyId = ownId(id, organizationId);
  return apiKeyId && (await getApiKey(table, apiKeyId))?.apiKey;
}

/**
 * Ended keys stay listed, so the list may grow to this many times the limit. Without a bound, a loop that creates and
 * revokes would store keys forever.
 */
const listedFactor = 10;

/**
 * A successor isn't counted against the limit of valid keys, since it replaces one: a key that must be rotated always
 * can be.
 */
export async function requireKeysBelowLimit(
  { organizationId, ownLimits }: Pick<Caller, 'ownLimits' | 'organizationId'>,
  { table, now, limitsOfDeployment }: ApiKeyManagement,
  kind: 'new' | 'successor' = 'new',
): Promise<void> {
  const limits = limitsInForce(ownLimits, limitsOfDeployment);
  const most = listedFactor * (limits('apiKeys') ?? Infinity);
  const { valid, listed } = await countApiKeys(table, organizationId, now(), most);
  if (kind === 'new') requireBelowLimit('apiKeys', valid, limits);
  if (listed >= most) throw tooManyListed(most);
}

const tooManyListed = (most: number): ServiceError =>
  new ServiceError(
    'too_many_api_keys',
    `Your organization has created ${most} API keys, including those that ended in the last ${listedForDays} days. Wait until some of those are older, or ask the operator for more.`,
  );
