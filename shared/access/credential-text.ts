import { createHash } from 'node:crypto';
import { digest, randomBase32 } from '#shared/tokens/base32';
import { type ApiKeyId, apiKeyIdSchema } from '#shared/tokens/resource-id';

/** An API key grants its scopes; a session or a link made with a key grants its key's console. */
type KindOfKey = 'key' | 'session' | 'link';

const prefixes = { key: 'esk', session: 'ess', link: 'esl', mailedLink: 'esm' } as const;

/** SHA-256 of the secret, hexadecimal. A fast hash suffices: the secret has 160 random bits. */
type Hashed = { readonly secretHash: string };

type PresentedCredential = Hashed &
  (
    | { readonly kind: KindOfKey; readonly isTest?: true; readonly id: ApiKeyId }
    /** Of `mailed-link.ts`. */
    | { readonly kind: 'mailedLink'; readonly id: string }
  );

/**
 * Prefix, ids of organization and key (or of a mailed link), a secret of 160 random bits, a checksum of 40 bits. Clients
 * of Resend's API check that a key starts with `re_`, so that prefix before one of our keys is accepted.
 */
const credentialText =
  /^(?:re_(?=esk))?((esk_test|es[kslm])_([a-z2-7]{32})_([a-z2-7]{32}))([a-z2-7]{8})$/;
const testPrefix = `${prefixes.key}_test`;
const checksumOf = (text: string): string => digest(text, 8);

/** The secret isn't kept. */
export function newCredential(
  kind: KindOfKey,
  id: ApiKeyId,
  { isTest = false }: { readonly isTest?: boolean } = {},
): { readonly text: string } & Hashed {
  const prefix = isTest ? testPrefix : prefixes[kind];
  return withChecksum(prefix, id.slice('key_'.length), randomBase32(32));
}

export const mailedLinkText = (id: string, secret: string): { readonly text: string } & Hashed =>
  withChecksum(prefixes.mailedLink, id, secret);

function withChecksum(prefix: string, idPart: string, secret: string) {
  const text = `${prefix}_${idPart}_${secret}`;
  return { text: text + checksumOf(text), secretHash: sha256(secret) };
}

export function readCredential(text: string): PresentedCredential | undefined {
  const [, checked = '', prefix, idPart, secret = '', checksum] = credentialText.exec(text) ?? [];
  if (idPart === undefined || checksum !== checksumOf(checked)) return undefined;
  const secretHash = sha256(secret);
  if (prefix === prefixes.mailedLink) return { kind: 'mailedLink', id: idPart, secretHash };
  return { ...kindOf(prefix), id: apiKeyIdSchema.parse(`key_${idPart}`), secretHash };
}

/** The session that this cookie names, whether or not it has ended. */
export function readSessionText(
  text: string | undefined,
): ({ readonly id: ApiKeyId } & Hashed) | undefined {
  const read = text === undefined ? undefined : readCredential(text);
  return read?.kind === 'session' ? { id: read.id, secretHash: read.secretHash } : undefined;
}

function kindOf(prefix: string | undefined): { kind: KindOfKey; isTest?: true } {
  if (prefix === testPrefix) return { kind: 'key', isTest: true };
  if (prefix === prefixes.key) return { kind: 'key' };
  return { kind: prefix === prefixes.session ? 'session' : 'link' };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
