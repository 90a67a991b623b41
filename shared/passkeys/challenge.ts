import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { SignedIn } from '#shared/access/admit-caller';
import { browserHashOf } from '#shared/access/mailed-link';
import { type Keyring, signToken, verifyToken } from '#shared/tokens/signed-token';

// What an authenticator signs. A challenge says itself whom it was made for, so it's stored nowhere.

/** How long an authenticator may take to answer. */
export const challengeMs = 10 * 60_000;

export type ChallengeUse = {
  readonly for: 'adding' | 'signing in';
  readonly holder: string;
};

/** Only the session that asked can add the passkey. */
export const addingIn = ({
  apiKey,
  session,
}: Pick<SignedIn, 'apiKey' | 'session'>): ChallengeUse => ({
  for: 'adding',
  holder: `${apiKey.id} ${session.id}`,
});

/** Only the browser that asked can sign in. */
export const signingInFrom = (browser: string): ChallengeUse => ({
  for: 'signing in',
  holder: browserHashOf(browser),
});

const payloadSchema = z.object({
  for: z.string(),
  holder: z.string(),
  at: z.int(),
  nonce: z.string(),
});

/** In base64url, as browsers take it. At least 16 random bytes (Web Authentication Level 3, §13.4.3). */
export function newChallenge(keyring: Keyring, use: ChallengeUse, now: number): string {
  const nonce = randomBytes(16).toString('base64url');
  const payload = JSON.stringify({ for: use.for, holder: use.holder, at: now, nonce });
  return Buffer.from(signToken(keyring, 'passkey', payload)).toString('base64url');
}

/**
 * When the challenge was made; `undefined` unless it's one of ours, for this use, and not too old.
 *
 * It can be answered more than once. Who takes an answer has to remember this moment.
 */
export function madeAt(
  keyring: Keyring,
  use: ChallengeUse,
  challenge: string,
  now: number,
): number | undefined {
  const token = Buffer.from(challenge, 'base64url').toString('latin1');
  const payload = verifyToken(keyring, 'passkey', token);
  if (payload === undefined) return undefined;
  const made = payloadSchema.parse(JSON.parse(payload));
  const isOfUse = made.for === use.for && made.holder === use.holder;
  return isOfUse && made.at <= now && now < made.at + challengeMs ? made.at : undefined;
}

const clientDataSchema = z.object({ challenge: z.string() });

/** The challenge that an authenticator says it answers; `undefined` if that can't be read. */
export function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const text = Buffer.from(clientDataJSON, 'base64url').toString('utf8');
    return clientDataSchema.parse(JSON.parse(text)).challenge;
  } catch {
    return undefined;
  }
}
