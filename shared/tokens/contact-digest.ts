import { ServiceError } from '#shared/errors/service-error';
import { macDigest } from './base32.ts';

/** RFC 2104 §3: at least as long as the hash's output. */
const leastKeyLength = 32;

/** Digests for one use say nothing about those for another. */
type DigestUse = 'contact' | 'request' | 'key';

/**
 * The key that digests of addresses are made with, if the deployment has one. It stands in the environment, not behind a
 * read: what it protects from is a copy of the table, and ids of contacts are needed on every path, before any call.
 */
function digestKey(): string | undefined {
  const key = process.env['CONTACT_DIGEST_KEY'];
  if (key === undefined || key.length >= leastKeyLength) return key;
  throw new Error('Missing or malformed environment variables: CONTACT_DIGEST_KEY');
}

/** Whether the deployment has a key for digests of addresses. */
export const hasDigestKey = (): boolean => digestKey() !== undefined;

/**
 * A digest that nobody can make who has the table alone.
 *
 * @throws ServiceError `contact_digest_mismatch` without a key: another digest would lead to no suppression.
 */
export function keyedDigest(use: DigestUse, text: string): string {
  const key = digestKey();
  if (key === undefined) throw contactDigestMismatch();
  return macDigest(key, `${use} ${text}`);
}

/** Tells keys apart, and does not tell the key. */
export const digestKeyFingerprint = (): string => keyedDigest('key', '');

export const contactDigestMismatch = (): ServiceError =>
  new ServiceError(
    'contact_digest_mismatch',
    "Nothing was done: the organization's contacts are stored under another CONTACT_DIGEST_KEY than the deployment has, so its suppressions would not be found. The operator has to give the deployment the key that it had.",
  );
