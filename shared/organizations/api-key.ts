import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { ServiceError } from '#shared/errors/service-error';
import { digest, randomBase32 } from '#shared/tokens/base32';
import {
  type ApiKeyId,
  apiKeyIdSchema,
  newApiKeyId,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { scopes } from './scopes.ts';

export const apiKeySchema = z.object({
  id: apiKeyIdSchema,
  name: z.string(),
  /** SHA-256 of the secret, hexadecimal. A fast hash suffices: the secret has 160 random bits. */
  secretHash: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** How many sends a minute the key may make. Without it there is no cap. */
  perMinuteCap: z.optional(z.int().check(z.positive())),
  /** How many sends a day, in UTC, it may make. Without it there is no cap. */
  dailyCap: z.optional(z.int().check(z.positive())),
  createdAt: z.int(),
  /** Names the version: each change makes it later. */
  updatedAt: z.int(),
  /** Epoch milliseconds from which the key is refused. */
  revokedAt: z.optional(z.int()),
  validUntil: z.optional(z.int()),
  /** When it was used, at most an hour earlier than the truth. Absent: never. */
  lastUsedAt: z.optional(z.int()),
  /** The key that a rotation made to take its place. */
  replacedBy: z.optional(apiKeyIdSchema),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** An API key as a caller presents it, taken apart. */
export type PresentedKey = { readonly id: ApiKeyId; readonly secretHash: string };

/** `esk_`, the own parts of organization and key, a secret of 160 random bits, a checksum of 40 bits. */
const apiKeyText = /^(esk_([a-z2-7]{32})_([a-z2-7]{32}))([a-z2-7]{8})$/;
const checksumOf = (text: string): string => digest(text, 8);

/** Makes a key. The caller is shown `text` once. The secret itself is not kept. */
export function createApiKey(
  organizationId: OrganizationId,
  settings: Pick<
    ApiKey,
    'name' | 'scopes' | 'createdAt' | 'perMinuteCap' | 'dailyCap' | 'validUntil'
  >,
): { readonly text: string; readonly apiKey: ApiKey } {
  const id = newApiKeyId(organizationId);
  const secret = randomBase32(32);
  const text = `esk_${id.slice('key_'.length)}_${secret}`;
  return {
    text: text + checksumOf(text),
    apiKey: { ...settings, id, secretHash: sha256(secret), updatedAt: settings.createdAt },
  };
}

/**
 * Takes a presented key apart, without a read. Whoever mistypes a key is told so: anybody can compute the
 * checksum, so that tells nothing about the keys there are.
 *
 * @throws ServiceError `invalid_api_key` when there is none, or it is not as our keys are.
 */
export function parseApiKey(credential: string | undefined): PresentedKey {
  if (credential === undefined || credential === '') throw missingApiKey();
  const [, text = '', idPart, secret = '', checksum] = apiKeyText.exec(credential) ?? [];
  if (idPart === undefined || checksum !== checksumOf(text)) throw mistypedApiKey();
  return { id: apiKeyIdSchema.parse(`key_${idPart}`), secretHash: sha256(secret) };
}

/**
 * Admits a presented key. Refuses an unknown, wrong, revoked or expired key with the same error, so that
 * nobody learns anything about a key without its secret.
 *
 * @throws ServiceError `invalid_api_key`
 */
export function authenticate(
  presented: PresentedKey,
  stored: ApiKey | undefined,
  now: number,
): ApiKey {
  if (stored === undefined) throw invalidApiKey();
  const secretMatches = timingSafeEqual(
    Buffer.from(presented.secretHash),
    Buffer.from(stored.secretHash),
  );
  if (!secretMatches || apiKeyStatusOf(stored, now) !== 'active') throw invalidApiKey();
  return stored;
}

export const apiKeyStatuses = ['active', 'revoked', 'expired'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** Only an active key is admitted. */
export function apiKeyStatusOf(
  { revokedAt, validUntil }: Pick<ApiKey, 'revokedAt' | 'validUntil'>,
  now: number,
): ApiKeyStatus {
  if (revokedAt !== undefined && revokedAt <= now) return 'revoked';
  return validUntil !== undefined && validUntil <= now ? 'expired' : 'active';
}

export const invalidApiKey = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    'The API key is unknown, revoked or expired. Use a current key of your organization.',
  );

export const missingApiKey = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    'The API key is missing. Send one as "Authorization: Bearer <API_KEY>".',
  );

const mistypedApiKey = (): ServiceError =>
  new ServiceError(
    'invalid_api_key',
    'This is not an API key: it is mistyped, cut off, or has something added. Copy the key as it was shown.',
  );

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
