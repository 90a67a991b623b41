import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';

/** A token made for one purpose is invalid for any other. Tokens don't expire unless their payload says when. */
export type TokenPurpose =
  | 'click'
  | 'open'
  | 'unsubscribe'
  | 'preferences'
  | 'notices'
  | 'passkey'
  | 'oidc';

/**
 * In UTF-8. The token must fit into a request line: API Gateway accepts 10,240 bytes for it and headers together
 * ("Quotas for HTTP APIs").
 */
export const maxPayloadBytes = 4_096;

const keyIdText = '[A-Za-z0-9_-]{1,16}';
const macText = '[A-Za-z0-9_-]{22}';
const tokenText = new RegExp(`^(${keyIdText})\\.([A-Za-z0-9_-]*)\\.(${macText})$`);
const maxTokenLength = 16 + 1 + Math.ceil((maxPayloadBytes * 4) / 3) + 1 + 22;

const signingKeySchema = z.object({
  /** Included in every token that the key signs. */
  id: z.string().check(z.regex(new RegExp(`^${keyIdText}$`))),
  /** At least as long as the hash's output, 32 bytes (RFC 2104 §3). */
  secret: z.string().check(z.minLength(32), z.maxLength(1_024)),
});
type SigningKey = z.infer<typeof signingKeySchema>;

/** Signs with the current key and verifies with any. A key that is no longer listed is revoked. */
export const keyringSchema = z
  .object({
    current: signingKeySchema,
    previous: z._default(z.array(signingKeySchema).check(z.maxLength(32)), []),
  })
  .check(
    z.refine(
      ({ current, previous }) =>
        new Set([current, ...previous].map(({ id }) => id)).size === previous.length + 1,
      { error: 'Each key needs an id of its own', path: ['previous'] },
    ),
  );
export type Keyring = z.infer<typeof keyringSchema>;

/**
 * The text of the secret, `{"current": "k1", "k1": "<secret>"}`: flat, because Secrets Manager generates a secret only
 * at the top level of a JSON object. To rotate, add `"k2"`, wait until no sandbox keeps the previous secret, and only
 * then make it current; `k1` verifies until it is removed.
 */
export const keyringSecretSchema = z.pipe(
  z.pipe(z.string(), z.transform(parseJson)),
  z.pipe(z.pipe(z.record(z.string(), z.string()), z.transform(toKeyring)), keyringSchema),
);

function toKeyring({ current, ...secrets }: Readonly<Record<string, string>>): unknown {
  const keys = Object.entries(secrets).map(([id, secret]) => ({ id, secret }));
  return {
    current: keys.find(({ id }) => id === current),
    previous: keys.filter(({ id }) => id !== current),
  };
}

/**
 * `<key id>.<payload>.<mac>` in base64url (RFC 4648 §5). Anyone can read the payload, but only a holder of the key can
 * make one. It never expires.
 *
 * @throws TypeError when the payload has a lone surrogate, which UTF-8 can't encode.
 * @throws RangeError when the payload exceeds `maxPayloadBytes`.
 */
export function signToken({ current }: Keyring, purpose: TokenPurpose, payload: string): string {
  if (!payload.isWellFormed()) throw new TypeError('The payload of a token must be Unicode text');
  const bytes = Buffer.from(payload, 'utf8');
  if (bytes.length > maxPayloadBytes) {
    throw new RangeError(`A token carries at most ${maxPayloadBytes} bytes, not ${bytes.length}`);
  }
  const encoded = bytes.toString('base64url');
  return `${current.id}.${encoded}.${macOf(current, purpose, encoded)}`;
}

/**
 * `undefined` unless one of the keys signed it for this purpose. Compares the text itself, so each payload has exactly
 * one token.
 */
export function verifyToken(
  { current, previous }: Keyring,
  purpose: TokenPurpose,
  token: string,
): string | undefined {
  if (token.length > maxTokenLength) return undefined;
  const [, keyId, encoded, mac] = tokenText.exec(token) ?? [];
  const key = [current, ...previous].find(({ id }) => id === keyId);
  if (key === undefined || encoded === undefined || mac === undefined) return undefined;
  const isGenuine = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key, purpose, encoded)));
  return isGenuine ? Buffer.from(encoded, 'base64url').toString('utf8') : undefined;
}

/** For text short enough to guess: it can't be computed without the key. Lasts as long as the key signs. */
export const keyedDigestOf = ({ current }: Keyring, text: string): string =>
  createHmac('sha256', secretKeyOf(current)).update(`digest\n${text}`).digest('base64url');

/**
 * HMAC-SHA-256, cut to its left 128 bits (RFC 2104 §5: at least half the hash). None of the three fields can contain a
 * full stop, so no two triples are the same text.
 */
const macOf = (key: SigningKey, purpose: TokenPurpose, encoded: string): string =>
  createHmac('sha256', secretKeyOf(key))
    .update(`${purpose}.${key.id}.${encoded}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url');

const secretKeys = new WeakMap<SigningKey, KeyObject>();

/** An email has half a dozen tokens, so its key is prepared once. */
function secretKeyOf(key: SigningKey): KeyObject {
  const prepared = secretKeys.get(key) ?? createSecretKey(key.secret, 'utf8');
  secretKeys.set(key, prepared);
  return prepared;
}

/** Leaves out JSON.parse's own message, which quotes the text. */
function parseJson(text: string, context: z.core.ParsePayload): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'Not JSON', input: undefined });
    return z.NEVER;
  }
}
