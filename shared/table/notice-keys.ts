import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { type Key, organizationPartition, sha256, sortableTime } from './keys.ts';

type NoticeName = {
  readonly organizationId: OrganizationId;
  readonly cause: string;
  /** For example a webhook's id. */
  readonly about: string;
  readonly day: string;
};

const noticePartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#NOTICES`;

export const noticeKey = ({ organizationId, cause, about, day }: NoticeName): Key => ({
  pk: noticePartition(organizationId),
  sk: `${day}#${cause}#${about}`,
});

/** IAM pattern, for every organization. */
export const noticePartitions = 'ORG#*#NOTICES';

/** A day's notices, or requests for confirmation. */
export const noticeCountKey = (
  organizationId: OrganizationId,
  what: 'SENT' | 'CONFIRMATIONS',
  day: string,
): Key => ({ pk: noticePartition(organizationId), sk: `${what}#${day}` });

export const confirmationCountKey = (mailbox: string, day: string): Key => ({
  pk: `ADDRESS#${sha256(mailbox)}`,
  sk: `CONFIRMATIONS#${day}`,
});

/** All unsent notices, by organization, then by time. */
export const dueNoticesPartition = 'NOTICES_DUE';

export const dueNoticeIndexKey = (organizationId: OrganizationId, dueAt: number) => ({
  gsi1pk: dueNoticesPartition,
  gsi1sk: `${organizationId}#${sortableTime(dueAt)}`,
});

/** An old entry has only the time, and gives `undefined`. */
export function readDueNoticeIndexKey(sortKey: string) {
  const [owner, dueAt] = sortKey.split('#');
  const organizationId = organizationIdSchema.safeParse(owner).data;
  return organizationId && { organizationId, dueAt: Number(dueAt) };
}

/** Sorts after everything that waits for this organization; without one, before everything. */
export const afterDueNoticesOf = (organizationId: OrganizationId | undefined): string =>
  organizationId === undefined ? 'org_' : `${organizationId}#~`;

/** Due notices from before the index named organizations. */
export const ungroupedDueNotices = (now: number) => ({ first: '0', last: sortableTime(now) });
