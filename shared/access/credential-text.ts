import { createHash } from 'node:crypto';
import { digest, randomBase32 } from '#shared/tokens/base32';
import { type ApiKeyId, apiKeyIdSchema } from '#shared/tokens/resource-id';

/** An API key grants its scopes; a session or sign-in link grants its key's console. */
type CredentialKind = 'key' | 'session' | 'link';

const prefixes = { key: 'esk', session: 'ess', link: 'esl' } as const satisfies Record<
  CredentialKind,
  string
>;

type PresentedCredential = {
  readonly kind: CredentialKind;
  readonly isTest?: true;
  readonly id: ApiKeyId;
  /** SHA-256 of the secret, hexadecimal. A fast hash suffices: the secret has 160 random bits. */
  readonly secretHash: string;
};

/**
 * Prefix, ids of organization and key, a secret of 160 random bits, a checksum of 40 bits. Clients of Resend's API
 * check that a key starts with `re_`, so that prefix before one of our keys is accepted.
 */
const credentialText =
  /^(?:re_(?=esk))?((esk_test|es[ksl])_([a-z2-7]{32})_([a-z2-7]{32}))([a-z2-7]{8})$/;
const testPrefix = `${prefixes.key}_test`;
const checksumOf = (text: string): string => digest(text, 8);

/** The secret isn't kept. */
export function newCredential(
  kind: CredentialKind,
  id: ApiKeyId,
  {
    isTest = false,
    secret = randomBase32(32),
  }: { readonly isTest?: boolean; readonly secret?: string | undefined } = {},
): { readonly text: string; readonly secretHash: string } {
  const prefix = isTest ? testPrefix : prefixes[kind];
  const text = `${prefix}_${id.slice('key_'.length)}_${secret}`;
  return { text: text + checksumOf(text), secretHash: sha256(secret) };
}

export function readCredential(text: string): PresentedCredential | undefined {
  const [, checked = '', prefix, idPart, secret = '', checksum] = credentialText.exec(text) ?? [];
  if (idPart === undefined || checksum !== checksumOf(checked)) return undefined;
  return {
    ...kindOf(prefix),
    id: apiKeyIdSchema.parse(`key_${idPart}`),
    secretHash: sha256(secret),
  };
}

function kindOf(prefix: string | undefined): Pick<PresentedCredential, 'kind' | 'isTest'> {
  if (prefix === testPrefix) return { kind: 'key', isTest: true };
  if (prefix === prefixes.key) return { kind: 'key' };
  return { kind: prefix === prefixes.session ? 'session' : 'link' };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
