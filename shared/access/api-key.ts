import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import {
  type Actor,
  type AuditEntry,
  makerOf,
  makerSchema,
  newAuditEntry,
} from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import { waitingDays } from '#shared/stored-content/content-lifetimes';
import { dayMs } from '#shared/timing/day';
import {
  type ApiKeyId,
  apiKeyIdSchema,
  newApiKeyId,
  type OrganizationId,
  organizationIdOf,
  sessionIdSchema,
} from '#shared/tokens/resource-id';
import { newCredential, readCredential } from './credential-text.ts';
import { isStillOperator, operatorRole } from './operators.ts';
import { roles, scopesOfRole } from './roles.ts';
import { hasScope, scopes, wideScopes } from './scopes.ts';
import { findSignIn, type SignIn, signInSchema } from './sign-in.ts';

/**
 * How long a revoked or expired key stays listed, so people can see what it was and did: at least until the last email
 * that it scheduled, which is checked against its key again.
 */
export const listedForDays = waitingDays;

export const apiKeySchema = z.object({
  id: apiKeyIdSchema,
  name: z.string(),
  test: z.optional(z.literal(true)),
  /** SHA-256 of the secret, hexadecimal. A fast hash suffices: the secret has 160 random bits. */
  secretHash: z.string(),
  /** Empty: the default ones. After a rollback some may be of a newer version, which allow nothing. */
  scopes: z.array(z.union([z.enum(scopes), z.string()])),
  /** In lower case, exact or as `*@domain`. Absent: any of the organization's addresses. */
  allowedFrom: z.optional(z.array(z.string())),
  /** Recipients per minute. Absent: no cap. */
  perMinuteCap: z.optional(z.int().check(z.positive())),
  /** Recipients per UTC day. Absent: no cap. */
  dailyCap: z.optional(z.int().check(z.positive())),
  createdAt: z.int(),
  /** Who got its text. Absent on personal keys, and on those of earlier versions. */
  createdBy: z.optional(makerSchema),
  /** Identifies the version: every change makes it later. */
  updatedAt: z.int(),
  /** Epoch milliseconds from which the key is refused. */
  revokedAt: z.optional(z.int()),
  /** It was revoked as leaked: its waiting emails don't go out. */
  leaked: z.optional(z.literal(true)),
  validUntil: z.optional(z.int()),
  /** Up to an hour behind. Absent if never used. */
  lastUsedAt: z.optional(z.int()),
  /**
   * Whose personal key it is. Nobody knows the secret of one: only its sessions use it, with the scopes of the role.
   */
  person: z.optional(
    z.object({
      /** The identity of the address, in lower case. */
      email: z.string(),
      role: z.union([z.enum(roles), z.string()]),
      /**
       * Set if the issuer made them (OpenID Connect): a digest of whom it means. They sign in with it only, and its
       * claims decide their role.
       */
      subject: z.optional(z.string()),
      /**
       * The issuer's claims don't name them here anymore, but they're the last who can manage the organization. They
       * can't sign in until the claims name them again.
       */
      isUnnamed: z.optional(z.literal(true)),
      /**
       * Of an operator who has entered the organization, and why. Ends at `validUntil`, and with the session of theirs
       * from which they entered.
       */
      entered: z.optional(
        z.object({ reason: z.string(), by: apiKeyIdSchema, session: sessionIdSchema }),
      ),
    }),
  ),
  /** Set by a rotation. */
  replacedBy: z.optional(apiKeyIdSchema),
  /** Console sessions, and links that can start one. Never shown. */
  signIns: z.optional(z.readonly(z.array(signInSchema))),
  /**
   * When each session was last used, by `usedAtName`, up to an hour behind. Apart from `signIns`, which only the
   * functions that sign in may write.
   */
  sessionsUsedAt: z.optional(z.record(z.string(), z.int())),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** What its role allows today, whatever it allowed when the key was stored. */
export const withScopesOfRole = (apiKey: ApiKey): ApiKey =>
  apiKey.person === undefined
    ? apiKey
    : { ...apiKey, scopes: [...scopesOfRole(apiKey.person.role)] };

/** A parsed key, a console session used in its place, or a key that AWS has allowed the caller to use. */
export type PresentedKey = {
  readonly id: ApiKeyId;
  readonly secretHash: string;
  /** IAM allows the caller to use the key without its secret. */
  readonly isByIam?: true;
  readonly isSession?: true;
  readonly isTest?: true;
};

/** The text is shown once; the secret isn't stored. */
export type NewApiKey = { readonly text: string; readonly apiKey: ApiKey };

export function createApiKey(
  organizationId: OrganizationId,
  settings: Pick<
    ApiKey,
    | 'name'
    | 'test'
    | 'scopes'
    | 'allowedFrom'
    | 'createdAt'
    | 'createdBy'
    | 'perMinuteCap'
    | 'dailyCap'
    | 'validUntil'
  >,
): NewApiKey {
  const id = newApiKeyId(organizationId);
  const { text, secretHash } = newCredential('key', id, { isTest: settings.test ?? false });
  return { text, apiKey: { ...settings, id, secretHash, updatedAt: settings.createdAt } };
}

export const newManagerKey = (organizationId: OrganizationId, now: number): NewApiKey =>
  createApiKey(organizationId, {
    name: 'manager',
    scopes: [...wideScopes],
    createdAt: now,
    createdBy: makerOf('operator'),
  });

export const apiKeyCreated = ({ id, name, ...apiKey }: ApiKey, actor: Actor): AuditEntry =>
  newAuditEntry(
    organizationIdOf(id),
    actor,
    { action: 'api_key.created', target: id, after: { name, scopes: apiKey.scopes } },
    apiKey.createdAt,
  );

/** @param id the key in the path, which API Gateway has let the caller's role use. */
export const keyByIam = (id: ApiKeyId): PresentedKey => ({ id, secretHash: '', isByIam: true });

/**
 * Form and checksum: `credential-text.ts`. Reads nothing. Mistyped keys get their own message: anyone can compute the
 * checksum, so it reveals nothing about existing keys.
 */
export function parseApiKey(credential: string | undefined): PresentedKey {
  if (credential === undefined || credential === '') throw missingApiKey();
  const presented = readCredential(credential);
  if (presented === undefined && basic.test(credential)) throw basicAuthentication();
  if (presented === undefined || presented.kind === 'link' || presented.kind === 'mailedLink') {
    throw mistypedApiKey();
  }
  const { kind, id, secretHash, isTest } = presented;
  return {
    id,
    secretHash,
    ...(kind === 'session' && { isSession: true }),
    ...(isTest && { isTest }),
  };
}

/**
 * Also admits a session of the key. Unknown, wrong, revoked and expired keys get the same error, so nothing leaks to
 * callers without the secret.
 */
export function authenticate(
  presented: PresentedKey,
  stored: ApiKey | undefined,
  now: number,
): ApiKey {
  if (presented.isSession) return authenticateSession(presented, stored, now);
  if (stored === undefined || !holdsSecret(presented, stored)) throw invalidApiKey();
  // Only sessions use a personal key: IAM lets nobody act as a person.
  if (stored.person !== undefined) throw invalidApiKey();
  if (apiKeyStatusOf(stored, now) !== 'active') throw invalidApiKey();
  return stored;
}

/** Whether the caller has the key itself, even if revoked or expired. A console session doesn't. */
export const holdsSecret = (
  { isSession, isByIam, isTest, secretHash }: PresentedKey,
  stored: ApiKey | undefined,
): boolean =>
  stored !== undefined &&
  (isByIam ||
    (isSession === undefined &&
      // The text of a test key can't pass for a real one, nor the other way round.
      isTest === stored.test &&
      timingSafeEqual(Buffer.from(secretHash), Buffer.from(stored.secretHash))));

function authenticateSession(
  { secretHash }: PresentedKey,
  stored: ApiKey | undefined,
  now: number,
): ApiKey {
  const isSignedIn = findSignIn(stored?.signIns, { kind: 'session', secretHash }, now);
  if (stored === undefined || isSignedIn === undefined || !maySignIn(stored, now)) {
    throw endedSession();
  }
  return stored;
}

/** Ends its sessions, and voids its links. */
export const signedOut = ({ sessionsUsedAt: _, ...apiKey }: ApiKey): ApiKey => ({
  ...apiKey,
  signIns: [],
});

/** Whether it can manage the organization now: somebody invited as an admin may never come. */
export const isManager = (apiKey: ApiKey, now: number): boolean =>
  maySignIn(apiKey, now) &&
  hasScope(apiKey.scopes, 'manage_organization') &&
  (apiKey.person === undefined || apiKey.lastUsedAt !== undefined);

/** Whether it can have sessions of the console. A program's key needs `manage_organization`. */
export const maySignIn = (apiKey: ApiKey, now: number): boolean =>
  apiKeyStatusOf(apiKey, now) === 'active' &&
  (apiKey.person === undefined
    ? hasScope(apiKey.scopes, 'manage_organization')
    : !isInvitationOver(apiKey, now) && isStillOperator(apiKey));

/** By a link or a passkey. Whoever was made by the issuer comes from there only: it decides whether they still may. */
export const maySignInByAddress = (apiKey: ApiKey, now: number): boolean =>
  maySignIn(apiKey, now) && apiKey.person !== undefined && apiKey.person.subject === undefined;

/** Invitations come last, later ones after earlier ones: nobody moves somebody's sign-in by inviting them. */
export const lastUsedFirst = (one: ApiKey, other: ApiKey): number =>
  (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0) || one.createdAt - other.createdAt;

/** Whether whoever has this session may go on as the person of the same address in another organization. */
export function maySwitchTo(
  apiKey: ApiKey,
  { oidc, startedAt = 0 }: Pick<SignIn, 'oidc' | 'startedAt'>,
  now: number,
): boolean {
  if (oidc === undefined) return maySignInByAddress(apiKey, now);
  const { person, createdAt } = apiKey;
  // A logout at the issuer finds the sessions of the people that there were at the sign-in.
  if (person === undefined || person.isUnnamed) return false;
  if (createdAt > startedAt || !maySignIn(apiKey, now)) return false;
  return person.subject === undefined ? oidc.isVerified === true : person.subject === oidc.subject;
}

export const invitationDays = 7;

/** Epoch milliseconds; `undefined` once they have signed in. */
export const invitedUntilOf = ({
  person,
  createdAt,
  lastUsedAt,
}: Pick<ApiKey, 'person' | 'createdAt' | 'lastUsedAt'>): number | undefined =>
  person === undefined || person.role === operatorRole || lastUsedAt !== undefined
    ? undefined
    : createdAt + invitationDays * dayMs;

const isInvitationOver = (apiKey: ApiKey, now: number): boolean =>
  (invitedUntilOf(apiKey) ?? Infinity) <= now;

export const apiKeyStatuses = ['active', 'revoked', 'expired'] as const;
type ApiKeyStatus = (typeof apiKeyStatuses)[number];

export function apiKeyStatusOf(
  { revokedAt, validUntil }: Pick<ApiKey, 'revokedAt' | 'validUntil'>,
  now: number,
): ApiKeyStatus {
  if (revokedAt !== undefined && revokedAt <= now) return 'revoked';
  return validUntil !== undefined && validUntil <= now ? 'expired' : 'active';
}

export const invalidApiKey = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    'The API key is unknown, revoked or expired. Use a current key of your organization.',
  );

export const missingApiKey = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    'The API key is missing. Send one as "Authorization: Bearer <API_KEY>".',
  );

const basic = /^Basic\b/i;

const basicAuthentication = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    'This service doesn’t support Basic authentication. Send the API key as "Authorization: Bearer <API_KEY>", or in the header x-api-key.',
  );

export const endedSession = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    'You are not signed in, or your session has ended. Sign in again.',
  );

export const mistypedApiKey = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    'This isn’t a valid API key: it’s mistyped, cut off, or has extra characters. Copy it exactly as it was shown.',
  );
