import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { Actor } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import {
  type ApiKeyId,
  newSessionId,
  organizationIdOf,
  sessionIdSchema,
} from '#shared/tokens/resource-id';
import { newCredential } from './credential-text.ts';

/**
 * A session of the console, or a link that begins one, as the item of its key has it: by the hash of its
 * secret. So it is read with the key, whoever reads the table can make none up, and it ends with its key.
 */
export const signInSchema = z.object({
  kind: z.enum(['session', 'link']),
  /** Of a session. Those that began before sessions had ids have none. */
  id: z.optional(sessionIdSchema),
  /** SHA-256 of the secret, hexadecimal. */
  secretHash: z.string(),
  /** Epoch milliseconds from which it is refused. */
  expiresAt: z.int(),
  /** When the person last showed the API key itself, in epoch milliseconds. Absent: never in this session. */
  keyShownAt: z.optional(z.int()),
});
export type SignIn = Readonly<z.infer<typeof signInSchema>>;

/** How long a session lasts. */
export const sessionMs = 12 * 3_600_000;
/** How long a sign-in link waits to be used. */
export const linkMs = 10 * 60_000;

/** For how long after it showed its key a session may make keys. */
export const keyShownMs = 5 * 60_000;

/** With so many the item of a key stays below 4 KB, so that its read costs no more. */
export const mostSignIns = 10;

type SigningKey = { readonly id: ApiKeyId; readonly validUntil?: number | undefined };
/** A session or a link, and its secret, which its holder gets once. */
export type NewSignIn<Kept = SignIn> = { readonly text: string; readonly signIn: Kept };
export type Session = SignIn & Required<Pick<SignIn, 'id'>>;

/** Makes a link of a key. It ends with the key, at the latest. */
export function newLink({ id, validUntil = Infinity }: SigningKey, now: number): NewSignIn {
  const { text, secretHash } = newCredential('link', id);
  const expiresAt = Math.min(now + linkMs, validUntil);
  return { text, signIn: { kind: 'link', secretHash, expiresAt } };
}

/** Begins a session with a key. It ends with the key, at the latest. */
export function newSession(
  { id, validUntil = Infinity }: SigningKey,
  begunWith: 'key' | 'link',
  now: number,
): NewSignIn<Session> {
  const { text, secretHash } = newCredential('session', id);
  const signIn = {
    kind: 'session',
    id: newSessionId(organizationIdOf(id)),
    secretHash,
    expiresAt: Math.min(now + sessionMs, validUntil),
    ...(begunWith === 'key' && { keyShownAt: now }),
  } as const;
  return { text, signIn };
}

/**
 * The same session after its key was shown, with another secret: a copy of the cookie that was made before ends
 * here. It lasts no longer than it would have.
 */
export function confirmedSession(
  session: SignIn,
  key: SigningKey,
  now: number,
): NewSignIn<Session> {
  const { text, secretHash } = newCredential('session', key.id);
  const { id = newSessionId(organizationIdOf(key.id)) } = session;
  return { text, signIn: { ...session, id, secretHash, keyShownAt: now } };
}

/** Until when a session may make keys, in epoch milliseconds. In the past, if its key was not shown lately. */
export const confirmedUntil = ({ keyShownAt = 0 }: SignIn): number => keyShownAt + keyShownMs;

/**
 * Refuses a session whose person has not shown the API key lately. What is made in a session may outlast it, and a
 * copied cookie should not become a key without end.
 *
 * @param session that of the request; `undefined` when the key itself makes it.
 * @throws ServiceError `key_confirmation_required`
 */
export function requireShownKey(session: SignIn | undefined, now: number): void {
  if (session === undefined || confirmedUntil(session) > now) return;
  throw new ServiceError(
    'key_confirmation_required',
    `Enter your API key again: a session can create, rotate or widen keys only within ${keyShownMs / 60_000} minutes of that. POST /console/session/confirm takes it.`,
  );
}

/** Who acts when a key is used, in a session or not. */
export const actorOf = (key: ApiKeyId, session: SignIn | undefined): Actor =>
  session?.id === undefined ? key : { key, session: session.id };

/** Finds the sign-in that this is the secret of, if it has not ended. */
export const findSignIn = (
  all: readonly SignIn[] | undefined,
  presented: Pick<SignIn, 'kind' | 'secretHash'>,
  now: number,
): SignIn | undefined =>
  all?.find(
    ({ kind, secretHash, expiresAt }) =>
      kind === presented.kind && expiresAt > now && isEqual(secretHash, presented.secretHash),
  );

/** Adds one. Those that have ended go, and beyond `mostSignIns` the oldest go too. */
export const withSignIn = (
  all: readonly SignIn[] | undefined,
  added: SignIn,
  now: number,
): readonly SignIn[] =>
  [...(all ?? []).filter(({ expiresAt }) => expiresAt > now), added].slice(-mostSignIns);

/** Takes one away. */
export const withoutSignIn = (
  all: readonly SignIn[] | undefined,
  removed: SignIn,
): readonly SignIn[] => (all ?? []).filter(({ secretHash }) => secretHash !== removed.secretHash);

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
