import { type DueNoticeStore, openDueNoticeStore } from '#shared/notices/due-notice-store';
import { type Notice, type NoticeContent, newNotice } from '#shared/notices/notice';
import type { Table } from '#shared/table/table-client';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { unexpected } from './unexpected.ts';

export const noticeNow = 1_750_000_000_000;

export const buildNotice = (
  organizationId: OrganizationId = newOrganizationId(),
  overrides: Partial<NoticeContent> = {},
  now = noticeNow,
): Notice =>
  newNotice(
    organizationId,
    {
      cause: 'bounce_rate',
      about: '2025-06',
      subject: 'Your bounce rate is 4.5%',
      text: 'In 2025-06, …',
      ...overrides,
    },
    now,
  );

/** All notices that are due, in the order in which the store finds them. */
export async function dueNoticesIn(
  table: Table,
  now: number,
  onUnread: (error: unknown) => void = (error) => {
    throw error;
  },
): Promise<readonly Notice[]> {
  const found: Notice[] = [];
  const due = openDueNoticeStore(table).find(now, onUnread);
  for await (const notices of due) found.push(...notices);
  return found;
}

/** Fakes the store of due notices. Functions that are not given throw. */
export const fakeDueNoticeStore = (given: Partial<DueNoticeStore> = {}): DueNoticeStore => ({
  find: unexpected('dueNotices.find'),
  admit: unexpected('dueNotices.admit'),
  settle: unexpected('dueNotices.settle'),
  postpone: unexpected('dueNotices.postpone'),
  ...given,
});
