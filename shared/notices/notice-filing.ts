import { publishCount } from '#shared/observability/metrics';
import type { Table } from '#shared/table/table-client';
import { type Notice, sendKeyOf } from './notice.ts';
import { type NoticeStore, openNoticeStore } from './notice-store.ts';

/** A process remembers so many notices that it filed. */
const mostRemembered = 1_000;

/**
 * Files notices beside the work that causes them: `await notices.file(newNotice(organizationId, {cause, about,
 * subject, text}, now))`. Nobody fails for a notice: one that cannot be stored is counted, and the next
 * occasion files it. A process files the same one once.
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
