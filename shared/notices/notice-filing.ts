import { publishCount } from '#shared/observability/metrics';
import type { Table } from '#shared/table/table-client';
import { type Notice, sendKeyOf } from './notice.ts';
import { storeNotice } from './notice-store.ts';

const maxRemembered = 1_000;

/** What this process has filed. */
const filedIn = new WeakMap<Table, Set<string>>();

/**
 * A notice never makes the work that causes it fail: one that can't be stored is counted, and filed on the next
 * occasion. A process files each notice once.
 */
export async function fileNotice(table: Table, notice: Notice): Promise<void> {
  const filed = filedIn.get(table) ?? new Set();
  filedIn.set(table, filed);
  const name = `${notice.organizationId} ${sendKeyOf(notice)}`;
  if (filed.has(name)) return;
  try {
    await storeNotice(table, notice);
    if (filed.size >= maxRemembered) filed.clear();
    filed.add(name);
  } catch {
    publishCount('NoticeNotFiled', { cause: notice.cause });
  }
}
