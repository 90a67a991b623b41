import type * as z from 'zod/mini';
import { batchGet } from '#shared/table/batch-get';
import { isExpired } from '#shared/table/expiry';
import { apiKeyKey, apiKeyListPartition } from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import { type List, type ListRange, readListPage } from '#shared/table/list-reader';
import type { Table } from '#shared/table/table-client';
import { apiKeyIdSchema, type OrganizationId } from '#shared/tokens/resource-id';
import type { ApiKey } from './api-key.ts';
import { toApiKey } from './api-key-items.ts';

/** Where a key stands in its organization's list. */
export const apiKeyPositionSchema = listPositionOf(apiKeyIdSchema).brand<'ApiKeyPosition'>();
export type ApiKeyPosition = z.infer<typeof apiKeyPositionSchema>;

export type ApiKeyPage = {
  /** Newest first. */
  readonly apiKeys: readonly ApiKey[];
  /** Where the next page begins; `undefined` at the end. */
  readonly next: ApiKeyPosition | undefined;
};

const listOf = (organizationId: OrganizationId): List<ApiKeyPosition> => ({
  index: 'gsi2',
  partitions: [apiKeyListPartition(organizationId)],
  positionSchema: apiKeyPositionSchema,
});

/** Reads a page of an organization's keys, also those that were revoked or expired lately: see `api-key-items.ts`. */
export async function readApiKeyPage(
  table: Table,
  organizationId: OrganizationId,
  range: ListRange<ApiKeyPosition>,
  now: number,
): Promise<ApiKeyPage> {
  const { entries, next } = await readListPage(table, listOf(organizationId), range);
  const keys = entries.map(({ position }) => apiKeyKey(apiKeyIdSchema.parse(idAt(position))));
  const itemOf = await batchGet(table, keys);
  const items = keys.map(itemOf).filter((item) => item !== undefined);
  return { apiKeys: items.filter((item) => !isExpired(item, now)).map(toApiKey), next };
}

export const openApiKeyListStore = (table: Table) => ({
  read: (organizationId: OrganizationId, range: ListRange<ApiKeyPosition>, now: number) =>
    readApiKeyPage(table, organizationId, range, now),
});
export type ApiKeyListStore = ReturnType<typeof openApiKeyListStore>;
