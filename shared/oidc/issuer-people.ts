import {
  type ApiKey,
  invitedUntilOf,
  maySignIn,
  signedOut,
  withScopesOfRole,
} from '#shared/access/api-key';
import { getApiKey } from '#shared/access/api-key-store';
import {
  changePersonalKey,
  type PersonalKey,
  type PlannedChange,
  plannedRemoval,
} from '#shared/access/change-api-key';
import { changeSignIns } from '#shared/access/change-sign-ins';
import { personalKeysFor } from '#shared/access/operator-store';
import { countPeople, storePerson } from '#shared/access/people-store';
import { maxPeople, newPerson } from '#shared/access/person';
import type { Role } from '#shared/access/roles';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { ServiceError } from '#shared/errors/service-error';
import { getOrganization } from '#shared/organizations/organization-store';
import { organizationKey } from '#shared/table/keys';
import type { TableAndClock } from '#shared/table/table-client';
import { requireItem } from '#shared/table/writes';
import {
  type ApiKeyId,
  type OrganizationId,
  organizationIdOf,
  personalKeyIdOf,
} from '#shared/tokens/resource-id';

/** Somebody whom the issuer has signed in. */
export type Account = {
  /** `EmailAddress.identity` */
  readonly identity: string;
  /** Whether the issuer says that the address is theirs. Otherwise it opens nothing that others were given. */
  readonly isVerified: boolean;
  /** `issuerDigest` of whom the issuer means. */
  readonly subject: string;
  /** By the claims. */
  readonly roles: ReadonlyMap<OrganizationId, Role>;
  /** The personal keys that the account had at its last sign-in. */
  readonly before: readonly ApiKeyId[];
};

/**
 * Makes the account's people as the claims say, and removes those that the claims no longer name. Each change is one
 * transaction with its audit entry; repeating them changes nothing, so a sign-in that dies in between is simply done
 * again.
 *
 * @returns the personal keys that the account may sign in with.
 */
export async function settlePeople(
  account: Account,
  settling: TableAndClock,
): Promise<readonly ApiKey[]> {
  const { identity, isVerified, roles, before } = account;
  const named = [...roles].map(([organizationId, role]) => ({
    id: personalKeyIdOf(organizationId, identity),
    role,
  }));
  const ofAddress = isVerified ? await personalKeysFor(identity, settling) : [];
  const isNamed = new Set(named.map(({ id }) => id));
  const others = [...new Set([...ofAddress.map(({ id }) => id), ...before])].filter(
    (id) => !isNamed.has(id),
  );
  const settled = await Promise.all([
    ...named.map(({ id, role }) => settleNamed(id, role, account, settling)),
    ...others.map((id) => settleOther(id, account, settling)),
  ]);
  return settled.filter((one) => one !== undefined);
}

const maxTries = 3;

/** In an organization that the claims name. */
async function settleNamed(
  id: ApiKeyId,
  role: Role,
  account: Account,
  settling: TableAndClock,
): Promise<ApiKey | undefined> {
  const organizationId = organizationIdOf(id);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const found = (await getApiKey(settling.table, id))?.apiKey;
    if (found !== undefined && found.revokedAt === undefined) {
      if (!account.isVerified && found.person?.subject !== account.subject) return undefined;
      const plan = (one: PersonalKey, now: number) => plannedChange(one, role, account, now);
      return unlessLastManager(id, settling, () =>
        changePersonalKey(id, { organizationId, actor: 'issuer' }, plan, settling),
      );
    }
    if ((await getOrganization(settling.table, organizationId)) === undefined) return undefined;
    if ((await countPeople(settling.table, organizationId)) >= maxPeople) return undefined;
    const made = await makePerson(organizationId, role, account, settling);
    if (made !== undefined) return made;
  }
  throw new ServiceError('concurrent_change');
}

/** The role counts for whom somebody invited, too, but they remain invited: the claims don't remove them. */
function plannedChange(
  before: PersonalKey,
  role: Role,
  { subject }: Account,
  now: number,
): PlannedChange | undefined {
  if (before.revokedAt !== undefined) throw new ServiceError('concurrent_change');
  const isLapsed = (invitedUntilOf(before) ?? Infinity) <= now;
  const isIssuers = isLapsed || before.person.subject !== undefined;
  const { isUnnamed, ...kept } = before.person;
  const person = { ...kept, role, ...(isIssuers && { subject }) };
  const isOfSameAccount = person.subject === before.person.subject;
  if (!isUnnamed && isOfSameAccount && person.role === before.person.role) return undefined;
  const after = withScopesOfRole({
    // The sessions of the account that the person was before must not get its role.
    ...(isOfSameAccount ? before : signedOut(before)),
    person,
    ...(isLapsed && { lastUsedAt: now }),
  });
  const roles = { before: { role: before.person.role }, after: { role } };
  if (isLapsed) return { after, change: { action: 'person.created', after: { role } } };
  return role === before.person.role
    ? { after, change: { action: 'person.account_changed' } }
    : { after, change: { action: 'person.role_changed', ...roles } };
}

/** @returns `undefined` if another request was faster, or the organization is gone. */
async function makePerson(
  organizationId: OrganizationId,
  role: Role,
  { identity, subject }: Account,
  { table, now: readClock }: TableAndClock,
): Promise<ApiKey | undefined> {
  const now = readClock();
  const invited = newPerson({ organizationId }, { identity, role }, now);
  const person = { ...invited, person: { email: identity, role, subject }, lastUsedAt: now };
  const change = { action: 'person.created', target: person.id, after: { role } };
  const outcome = await storePerson(table, person, [
    requireItem(organizationKey(organizationId)),
    putAuditEntry(newAuditEntry(organizationId, 'issuer', change, now)),
  ]);
  return outcome === 'stored' ? person : undefined;
}

/** In an organization that the claims don't name: who was invited comes by their verified address, nobody else. */
async function settleOther(
  id: ApiKeyId,
  { identity, isVerified, subject }: Account,
  settling: TableAndClock,
): Promise<ApiKey | undefined> {
  const found = (await getApiKey(settling.table, id))?.apiKey;
  if (found?.person === undefined || found.revokedAt !== undefined) return undefined;
  const { person } = found;
  const hasAddress = isVerified && person.email === identity;
  if (person.subject === undefined) {
    return hasAddress && maySignIn(found, settling.now()) ? found : undefined;
  }
  if (person.subject !== subject && !hasAddress) return undefined;
  const organizationId = organizationIdOf(id);
  await unlessLastManager(id, settling, () =>
    changePersonalKey(id, { organizationId, actor: 'issuer' }, plannedRemoval, settling),
  );
  return undefined;
}

/**
 * An organization keeps its last manager. But if the issuer no longer makes them one, their sessions end and they get
 * no new one there.
 */
async function unlessLastManager(
  id: ApiKeyId,
  settling: TableAndClock,
  change: () => Promise<ApiKey>,
): Promise<ApiKey | undefined> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'last_manager_key') throw error;
    const issuer = { organizationId: organizationIdOf(id), actor: 'issuer' } as const;
    await changePersonalKey(id, issuer, unnamed, settling);
    await changeSignIns(
      id,
      (apiKey) => ({
        change: apiKey?.signIns?.length
          ? { after: [], actor: 'issuer', action: 'session.ended' }
          : undefined,
        result: undefined,
      }),
      settling,
    );
    return undefined;
  }
}

const unnamed = (before: PersonalKey): PlannedChange | undefined =>
  before.person.subject === undefined || before.person.isUnnamed
    ? undefined
    : {
        after: { ...signedOut(before), person: { ...before.person, isUnnamed: true } },
        change: { action: 'session.ended' },
      };
