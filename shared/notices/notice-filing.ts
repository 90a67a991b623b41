import { publishCount } from '#shared/observability/metrics';
import type { Table } from '#shared/table/table-client';
import { type Notice, sendKeyOf } from './notice.ts';
import { type NoticeStore, openNoticeStore } from './notice-store.ts';

const mostRemembered = 1_000;

/**
 * A notice never makes the work that causes it fail: one that can't be stored is counted, and filed on the next
 * occasion. A process files each notice once.
 */
export function createNoticeFiling({ store }: NoticeStore) {
  const filed = new Set<string>();
  return {
    file: async (notice: Notice): Promise<void> => {
      const name = `${notice.organizationId} ${sendKeyOf(notice)}`;
      if (filed.has(name)) return;
      try {
        await store(notice);
        if (filed.size >= mostRemembered) filed.clear();
        filed.add(name);
      } catch {
        publishCount('NoticeNotFiled', { cause: notice.cause });
      }
    },
  };
}
export type NoticeFiling = ReturnType<typeof createNoticeFiling>;

export const openNoticeFiling = (table: Table) => createNoticeFiling(openNoticeStore(table));
