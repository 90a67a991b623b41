import { digest } from '#shared/tokens/base32';
import { hasDigestKey, keyedDigest } from '#shared/tokens/keyed-digest';

/** Names an account at the issuer, or a session there, without saying which: the table has neither. */
export function issuerDigest(kind: 'sub' | 'sid', issuer: string, id: string): string {
  const text = JSON.stringify([kind, issuer, id]);
  return hasDigestKey() ? keyedDigest('issuer', text) : digest(`issuer ${text}`);
}
