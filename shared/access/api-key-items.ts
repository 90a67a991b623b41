import { expiryAfter } from '#shared/table/expiry';
import { apiKeyKey, apiKeyListIndexKey } from '#shared/table/keys';
import { readItem } from '#shared/table/read-item';
import type { StoredItem } from '#shared/table/table-client';
import { type ApiKey, apiKeySchema, listedForDays } from './api-key.ts';

/** A key's item. It is forgotten some time after the key's end, if that is known. */
export function apiKeyItemOf(apiKey: ApiKey): StoredItem {
  const { id, createdAt, revokedAt = Infinity, validUntil = Infinity } = apiKey;
  const end = Math.min(revokedAt, validUntil);
  return {
    ...apiKeyKey(id),
    ...apiKeyListIndexKey(id, createdAt),
    ...apiKey,
    ...(end < Infinity && { expiresAt: expiryAfter(end, listedForDays) }),
  };
}

/** @throws UnreadableItemError when the stored item is not an API key. */
export const toApiKey = (item: StoredItem): ApiKey => readItem('API key', apiKeySchema, item);
