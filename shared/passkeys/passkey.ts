import * as z from 'zod/mini';
import type { SignedIn } from '#shared/access/admit-caller';
import { type ApiKey, lastUsedFirst, maySignInByAddress } from '#shared/access/api-key';
import { ServiceError } from '#shared/errors/service-error';
import { sha256 } from '#shared/table/keys';
import { exampleTime } from '#shared/tokens/example-values';

/** Of an address. One is on all devices of its owner, as a rule. */
export const maxPasskeys = 10;

/** Passkeys that nobody uses for so long are deleted. */
export const passkeyDays = 400;

/** EdDSA, ES256 and RS256, in the order in which an authenticator should choose (IANA, "COSE Algorithms"). */
export const algorithms = [-8, -7, -257] as const;

/** In base64url. */
export const encodedBytes = (maxLength: number) =>
  z.string().check(z.minLength(1), z.maxLength(maxLength), z.regex(/^[A-Za-z0-9_-]+$/));

/** WebAuthn allows 1,023 bytes. */
export const credentialIdField = encodedBytes(1_364);

/** A few hundred bytes, unless a browser adds to it. */
export const clientDataField = encodedBytes(4_096);

export const passkeySchema = z.object({
  /** As the authenticator made it, in base64url. */
  credentialId: z.string(),
  /** COSE, in base64url. */
  publicKey: z.string(),
  /** How often the authenticator was used, if it counts. */
  counter: z.int(),
  /** How a browser reaches the authenticator. */
  transports: z.array(z.string()),
  /** Its owner's other devices have it, too. */
  backedUp: z.boolean(),
  name: z.string(),
  createdAt: z.int(),
  lastUsedAt: z.optional(z.int()),
  /** When the challenge was made that it answered last. It's done with that one and all earlier ones. */
  answeredAt: z.int(),
});
export type Passkey = Readonly<z.infer<typeof passkeySchema>>;

/**
 * Short enough for an address. Of two passkeys of one address with the same id, one would have to be made for that, by
 * that address.
 */
export const passkeyIdOf = ({ credentialId }: Pick<Passkey, 'credentialId'>): string =>
  sha256(credentialId).slice(0, 32);

export const passkeyIdSchema = z.string().check(z.regex(/^[0-9a-f]{32}$/));

export const passkeyViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  isBackedUp: z.boolean(),
  createdAt: z.int(),
  lastUsedAt: z.optional(z.int()),
});

export const toPasskeyView = (passkey: Passkey): z.output<typeof passkeyViewSchema> => ({
  id: passkeyIdOf(passkey),
  name: passkey.name,
  isBackedUp: passkey.backedUp,
  createdAt: passkey.createdAt,
  ...(passkey.lastUsedAt !== undefined && { lastUsedAt: passkey.lastUsedAt }),
});

export const passkeyWords = {
  id: 'The ID of the passkey.',
  name: 'What its owner calls it.',
  isBackedUp: 'Whether a password manager keeps it, on all of its owner’s devices.',
  createdAt: 'When it was added, in epoch milliseconds.',
  lastUsedAt: 'When it last signed somebody in, in epoch milliseconds. Absent if it never did.',
} as const;

export const examplePasskey = {
  id: '5feceb66ffc86f38d952786c6d696c79',
  name: 'Firefox on Linux',
  isBackedUp: true,
  createdAt: exampleTime,
} as const;

/**
 * Whose passkeys these are. An API key has none, nor has whom an issuer made, who couldn't sign in with one. An account
 * whose issuer doesn't say that the address is theirs must not add one to somebody else's.
 *
 * @throws ServiceError `person_required`
 */
export function requirePasskeyOwner({
  apiKey: { person },
  session: { oidc },
}: Pick<SignedIn, 'apiKey' | 'session'>): NonNullable<ApiKey['person']> {
  if (person === undefined || person.entered !== undefined) {
    throw new ServiceError('person_required');
  }
  if (person.subject !== undefined || (oidc !== undefined && oidc.isVerified !== true)) {
    throw new ServiceError(
      'person_required',
      'You sign in with your identity provider, which decides whether you may. Passkeys are for people whom somebody invited.',
    );
  }
  return person;
}

/**
 * The personal keys that a passkey signs in with, best first: of the organization where its browser is signed in, then
 * of the one that was used last.
 *
 * It opens nothing if each invitation is later than the passkey. Then the address had left every organization in
 * between, and may have been given to somebody else since.
 */
export function openedBy(
  { createdAt }: Pick<Passkey, 'createdAt'>,
  personalKeys: readonly ApiKey[],
  current: string | undefined,
  now: number,
): readonly ApiKey[] {
  const valid = personalKeys.filter((key) => maySignInByAddress(key, now));
  if (!valid.some((key) => key.createdAt <= createdAt)) return [];
  return valid.toSorted(
    (one, other) =>
      Number(other.id === current) - Number(one.id === current) || lastUsedFirst(one, other),
  );
}

/** @throws ServiceError `too_many_passkeys` */
export function requireRoom(passkeys: readonly Passkey[]): void {
  if (passkeys.length < maxPasskeys) return;
  throw new ServiceError(
    'too_many_passkeys',
    `An address has at most ${maxPasskeys} passkeys. Remove one first.`,
  );
}

/** The same answer whatever is wrong with it: a stranger learns nothing about whose it might be. */
export const passkeyRefused = (): ServiceError => new ServiceError('passkey_refused');
