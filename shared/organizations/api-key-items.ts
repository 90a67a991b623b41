import { expiryAfter } from '#shared/table/expiry';
import { apiKeyKey, apiKeyListIndexKey } from '#shared/table/keys';
import type { StoredItem } from '#shared/table/table-client';
import { type ApiKey, apiKeySchema } from './api-key.ts';

/** How long a key that is revoked or expired is still shown, so that one can see what it was and did. */
const shownForDays = 30;

/** A key's item. It is forgotten some time after the key's end, if that is known. */
export function apiKeyItemOf(apiKey: ApiKey): StoredItem {
  const { id, createdAt, revokedAt = Infinity, validUntil = Infinity } = apiKey;
  const end = Math.min(revokedAt, validUntil);
  return {
    ...apiKeyKey(id),
    ...apiKeyListIndexKey(id, createdAt),
    ...apiKey,
    ...(end < Infinity && { expiresAt: expiryAfter(end, shownForDays) }),
  };
}

/** @throws ZodError when the stored item is not an API key. */
export const toApiKey = (item: StoredItem): ApiKey => apiKeySchema.parse(item);
