import { openRequestLog } from '#shared/observability/request-log';
import type { Table } from '#shared/table/table-client';
import type { ApiKey } from './api-key.ts';
import { recordKeyUse, recordSessionUse } from './api-key-store.ts';
import { isSession, openSessionsIn, type SignIn, usedAtName } from './sign-in.ts';

const onceInMs = 3_600_000;

/**
 * Writes at most once an hour, for each session too, which counts as a use of its key. Never throws: the next request
 * tries again.
 */
export async function noteKeyUse(
  table: Table,
  apiKey: ApiKey,
  now: number,
  signIn?: SignIn,
): Promise<void> {
  const { id, lastUsedAt, sessionsUsedAt: before = {} } = apiKey;
  const session = signIn && isSession(signIn) ? usedAtName(signIn) : undefined;
  const notedAt = session === undefined ? lastUsedAt : before[session];
  if (now - (notedAt ?? -Infinity) < onceInMs) return;
  try {
    if (session === undefined) return await recordKeyUse(table, id, now, now - onceInMs);
    const open = new Set(openSessionsIn(apiKey.signIns, now).map(usedAtName));
    const others = Object.entries(before).filter(([name]) => open.has(name));
    await recordSessionUse(table, apiKey, { ...Object.fromEntries(others), [session]: now }, now);
  } catch (error) {
    openRequestLog({ apiKeyId: id }).error('use of a key not noted', error);
  }
}
