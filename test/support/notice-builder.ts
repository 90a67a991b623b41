import type { DueNoticeStore } from '#shared/notices/due-notice-store';
import { type Notice, type NoticeContent, newNotice } from '#shared/notices/notice';
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
      subject: 'Your bounce rate is 4.5 %',
      text: 'In 2025-06, …',
      ...overrides,
    },
    now,
  );

/** Fakes the store of due notices. Functions that are not given throw. */
export const fakeDueNoticeStore = (given: Partial<DueNoticeStore> = {}): DueNoticeStore => ({
  find: unexpected('dueNotices.find'),
  settle: unexpected('dueNotices.settle'),
  postpone: unexpected('dueNotices.postpone'),
  ...given,
});
