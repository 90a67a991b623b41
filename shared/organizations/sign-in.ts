import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import { newCredential } from './credential-text.ts';

/**
 * A session of the console, or a link that begins one, as the item of its key has it: by the hash of its
 * secret. So it is read with the key, whoever reads the table can make none up, and it ends with its key.
 */
export const signInSchema = z.object({
  kind: z.enum(['session', 'link']),
  /** SHA-256 of the secret, hexadecimal. */
  secretHash: z.string(),
  /** Epoch milliseconds from which it is refused. */
  expiresAt: z.int(),
});
export type SignIn = Readonly<z.infer<typeof signInSchema>>;

/** How long a session lasts. */
export const sessionMs = 12 * 3_600_000;
/** How long a sign-in link waits to be used. */
export const linkMs = 10 * 60_000;

/** With so many the item of a key stays below 4 KB, so that its read costs no more. */
export const mostSignIns = 10;

/** Makes a session or a link of a key. It ends with the key, at the latest. Its holder is shown `text` once. */
export function newSignIn(
  kind: SignIn['kind'],
  {
    id,
    validUntil = Infinity,
  }: { readonly id: ApiKeyId; readonly validUntil?: number | undefined },
  now: number,
): { readonly text: string; readonly signIn: SignIn } {
  const { text, secretHash } = newCredential(kind, id);
  const lastsMs = kind === 'session' ? sessionMs : linkMs;
  return { text, signIn: { kind, secretHash, expiresAt: Math.min(now + lastsMs, validUntil) } };
}

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
