import type { ApiKey } from '#shared/access/api-key';
import { getApiKey } from '#shared/access/api-key-store';

import type { Table } from '#shared/table/table-client';
import type { ApiKeyId } from '#shared/tokens/resource-id';

/** The key as a request with it finds it. */
export const readApiKey = async (table: Table, id: ApiKeyId): Promise<ApiKey | undefined> =>
  (await getApiKey(table, id))?.apiKey;
