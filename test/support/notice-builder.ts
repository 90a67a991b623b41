import { findDueNotices } from '#shared/notices/due-notice-store';
import { type Notice, type NoticeContent, newNotice } from '#shared/notices/notice';
import type { Table } from '#shared/table/table-client';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';

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
  for await (const notices of findDueNotices(table, now, onUnread)) found.push(...notices);
  return found;
}
