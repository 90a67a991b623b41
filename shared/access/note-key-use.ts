import { openRequestLog } from '#shared/observability/request-log';
import type { Table } from '#shared/table/table-client';
import type { ApiKey } from './api-key.ts';
import { recordKeyUse } from './api-key-store.ts';

const onceInMs = 3_600_000;

/** Writes at most once an hour. Never throws: the next request tries again. */
export async function noteKeyUse(
  table: Table,
  { id, lastUsedAt = -Infinity }: ApiKey,
  now: number,
): Promise<void> {
  if (now - lastUsedAt < onceInMs) return;
  try {
    await recordKeyUse(table, id, now, now - onceInMs);
  } catch (error) {
    openRequestLog({ apiKeyId: id }).error('use of a key not noted', error);
  }
}
