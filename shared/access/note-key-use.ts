import { openRequestLog } from '#shared/observability/request-log';
import type { ApiKey } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';

const onceInMs = 3_600_000;

/** Writes at most once an hour. Never throws: the next request tries again. */
export async function noteKeyUse(
  { id, lastUsedAt = -Infinity }: ApiKey,
  now: number,
  apiKeys: Pick<ApiKeyStore, 'noteUse'>,
): Promise<void> {
  if (now - lastUsedAt < onceInMs) return;
  try {
    await apiKeys.noteUse(id, now, now - onceInMs);
  } catch (error) {
    openRequestLog({ apiKeyId: id }).error('use of a key not noted', error);
  }
}
