import { ServiceError } from '#shared/errors/service-error';
import { macDigest } from './base32.ts';

/** RFC 2104 §3: at least as long as the hash's output. */
const leastKeyLength = 32;

/** Digests for one use reveal nothing about those for another. */
type DigestUse = 'contact' | 'person' | 'account' | 'request' | 'issuer' | 'key';

/**
 * In the environment, not read from a secret: it protects against a copied table, and every path needs contact ids
 * before any call.
 */
function digestKey(): string | undefined {
  const key = process.env['CONTACT_DIGEST_KEY'];
  if (key === undefined || key.length >= leastKeyLength) return key;
  throw new Error('Missing or malformed environment variables: CONTACT_DIGEST_KEY');
}

export const hasDigestKey = (): boolean => digestKey() !== undefined;

/**
 * A digest that can't be computed from the table alone. For organizations that were created without a key,
 * `contactIdOf` (`resource-id.ts`) uses a plain digest.
 *
 * @throws ServiceError `contact_digest_mismatch` without a key: another digest would miss the suppressions.
 */
export function keyedDigest(use: DigestUse, text: string): string {
  const key = digestKey();
  if (key === undefined) throw contactDigestMismatch();
  return macDigest(key, `${use} ${text}`);
}

/** Identifies a key without revealing it. */
export const digestKeyFingerprint = (): string => keyedDigest('key', '');

export const contactDigestMismatch = (): ServiceError =>
  new ServiceError(
    'contact_digest_mismatch',
    "Nothing was done: the organization's contacts were stored with a different CONTACT_DIGEST_KEY, so its suppressions wouldn't be found. The operator has to restore the original key.",
  );
