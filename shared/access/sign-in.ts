import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { Actor } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import {
  type ApiKeyId,
  newSessionId,
  organizationIdOf,
  type SessionId,
  sessionIdSchema,
} from '#shared/tokens/resource-id';
import { newCredential } from './credential-text.ts';

/**
 * A console session, or a link made with a key that starts one (mailed links: `mailed-link.ts`). It's stored on its key's
 * item by the hash of its secret: it's read with the key and ends with it, and read access to the table isn't enough to
 * forge one.
 *
 * A session ends:
 * - when its person ends it, here or from another browser (`delete-session`, `end-session`, `end-other-sessions`)
 * - when an admin or the issuer signs them out (`sign-out-person`, `end-issuer-sessions`)
 * - when it goes on in another organization (`switch-organization`)
 * - after `sessionMs`
 * - when its key has `maxSessions` later sessions
 * - when its key is revoked, expires, or may no longer sign in
 */
export const signInSchema = z.object({
  kind: z.enum(['session', 'link']),
  /** Only sessions have ids, except those started before ids existed. */
  id: z.optional(sessionIdSchema),
  /** SHA-256 of the secret, hexadecimal. */
  secretHash: z.string(),
  /** Epoch milliseconds from which it's refused. */
  expiresAt: z.int(),
  /**
   * When this session last showed the key, or that its person has the mailbox or a passkey, or when the issuer last saw
   * them prove who they are, in epoch milliseconds. Absent if it never did.
   */
  keyShownAt: z.optional(z.int()),
  /** Of a session, in epoch milliseconds. A switch to another organization keeps it, as it does the next two. */
  startedAt: z.optional(z.int()),
  /** The browser of a session, as `deviceOf` names it. */
  device: z.optional(z.string()),
  /** What a session began with. After a rollback, it may be something newer. */
  by: z.optional(z.union([z.enum(['key', 'link', 'mail', 'passkey', 'issuer']), z.string()])),
  /** Of a session that began at the issuer (OpenID Connect). */
  oidc: z.optional(
    z.object({
      /** Digests of the account there, and of its session. */
      subject: z.string(),
      sid: z.optional(z.string()),
      /** The issuer said that the address is theirs. */
      isVerified: z.optional(z.literal(true)),
    }),
  ),
});
export type SignIn = Readonly<z.infer<typeof signInSchema>>;

export const sessionMs = 12 * 3_600_000;
export const linkMs = 10 * 60_000;

/** How long a session that has shown its key may do what outlasts it. */
export const keyShownMs = 5 * 60_000;

/** These keep a key's item below 4 KB, so that reading it costs no more. */
export const maxSessions = 10;
const maxLinks = 3;
const maxOf = { session: maxSessions, link: maxLinks } as const satisfies Record<
  SignIn['kind'],
  number
>;

type SigningKey = {
  readonly id: ApiKeyId;
  readonly validUntil?: number | undefined;
  readonly person?: object | undefined;
};
export type NewSignIn<Kept = SignIn> = { readonly text: string; readonly signIn: Kept };
export type Session = SignIn & { readonly id: SessionId };

/** Expires with its key at the latest. */
export function newLink({ id, validUntil = Infinity }: SigningKey, now: number): NewSignIn {
  const { text, secretHash } = newCredential('link', id);
  const expiresAt = Math.min(now + linkMs, validUntil);
  return { text, signIn: { kind: 'link', secretHash, expiresAt } };
}

type Begun = {
  /** `link`: made with a key, which it doesn't show. */
  readonly by: 'key' | 'link' | 'mail' | 'passkey';
  readonly device?: string | undefined;
};

export function newSession(
  key: SigningKey,
  { by, device }: Begun,
  now: number,
): NewSignIn<Session> {
  const shownAt = by === 'link' ? undefined : now;
  return begunSession(key, { by, device, keyShownAt: shownAt }, now);
}

/** @param shownAt when the issuer last saw the person prove who they are, if it says so; epoch milliseconds */
export function newIssuerSession(
  key: SigningKey,
  {
    shownAt,
    device,
    oidc,
  }: Pick<Begun, 'device'> & {
    readonly shownAt: number | undefined;
    readonly oidc: NonNullable<SignIn['oidc']>;
  },
  now: number,
): NewSignIn<Session> {
  const keyShownAt = shownAt === undefined ? undefined : Math.min(shownAt, now);
  return begunSession(key, { by: 'issuer', device, keyShownAt, oidc }, now);
}

function begunSession(
  { id, validUntil = Infinity }: SigningKey,
  { device, keyShownAt, ...begun }: Pick<SignIn, 'by' | 'device' | 'keyShownAt' | 'oidc'>,
  now: number,
): NewSignIn<Session> {
  const { text, secretHash } = newCredential('session', id);
  const signIn = {
    kind: 'session',
    id: newSessionId(organizationIdOf(id)),
    secretHash,
    expiresAt: Math.min(now + sessionMs, validUntil),
    startedAt: now,
    ...(device !== undefined && { device }),
    ...(keyShownAt !== undefined && { keyShownAt }),
    ...begun,
  } as const;
  return { text, signIn };
}

export function confirmedSession(
  session: SignIn,
  key: SigningKey,
  now: number,
): NewSignIn<Session> {
  const { text, secretHash } = newCredential('session', key.id);
  const { id = newSessionId(organizationIdOf(key.id)) } = session;
  return { text, signIn: { ...session, id, secretHash, keyShownAt: now } };
}

/**
 * Goes on with a session in another organization of the same person, or in one that an operator enters: it ends no later,
 * and what it has shown counts there too.
 */
export function switchedSession(
  session: SignIn,
  { id, validUntil = Infinity }: SigningKey,
): NewSignIn<Session> {
  const { text, secretHash } = newCredential('session', id);
  const signIn = {
    ...session,
    id: newSessionId(organizationIdOf(id)),
    secretHash,
    expiresAt: Math.min(session.expiresAt, validUntil),
  };
  return { text, signIn };
}

/** Epoch milliseconds; in the past if the key wasn't shown lately. */
export const confirmedUntil = ({ keyShownAt = 0 }: SignIn): number => keyShownAt + keyShownMs;

/**
 * For what outlasts the session: a copied cookie must become neither a permanent key nor a webhook that gets every
 * recipient after the sign-out. `freshSession` of an endpoint's access says where.
 *
 * @param session `undefined` when the key itself makes the request.
 */
export function requireShownKey(
  { session, apiKey }: { readonly session: SignIn | undefined; readonly apiKey: SigningKey },
  now: number,
): void {
  if (session === undefined || confirmedUntil(session) > now) return;
  if (apiKey.person !== undefined) throw needsRecentSignIn();
  throw new ServiceError(
    'key_confirmation_required',
    `Enter your API key again with POST /console/session/confirm: a session can do this only within ${minutes} minutes of that.`,
  );
}

const minutes = keyShownMs / 60_000;

const needsRecentSignIn = (): ServiceError =>
  new ServiceError(
    'recent_sign_in_required',
    `Sign in again: this can be done only within ${minutes} minutes of that.`,
  );

export const isSession = (signIn: SignIn): signIn is Session =>
  signIn.kind === 'session' && signIn.id !== undefined;

export const openSessionsIn = (
  all: readonly SignIn[] | undefined,
  now: number,
): readonly Session[] => (all ?? []).filter(isSession).filter(({ expiresAt }) => expiresAt > now);

/** The session's name among `sessionsUsedAt` of its key: short, as the key's item has little room. */
export const usedAtName = ({ id }: Pick<Session, 'id'>): string => id.slice(-8);

export const actorOf = ({ id, person }: SigningKey, session: SignIn | undefined): Actor =>
  session?.id === undefined
    ? id
    : { key: id, session: session.id, ...(person !== undefined && { isPerson: true }) };

export const findSignIn = (
  all: readonly SignIn[] | undefined,
  presented: Pick<SignIn, 'kind' | 'secretHash'>,
  now: number,
): SignIn | undefined =>
  all?.find(
    ({ kind, secretHash, expiresAt }) =>
      kind === presented.kind && expiresAt > now && isEqualHash(secretHash, presented.secretHash),
  );

/** Drops expired ones, and the oldest of its kind beyond the limit. */
export function withSignIn(
  all: readonly SignIn[] | undefined,
  added: SignIn,
  now: number,
): readonly SignIn[] {
  const current = (all ?? []).filter(({ expiresAt }) => expiresAt > now);
  const ofKind = current.filter(({ kind }) => kind === added.kind);
  const dropped = new Set(ofKind.slice(0, Math.max(0, ofKind.length + 1 - maxOf[added.kind])));
  return [...current.filter((one) => !dropped.has(one)), added];
}

export const withoutSignIn = (
  all: readonly SignIn[] | undefined,
  removed: Pick<SignIn, 'secretHash'>,
): readonly SignIn[] => (all ?? []).filter(({ secretHash }) => secretHash !== removed.secretHash);

export const isEqualHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
