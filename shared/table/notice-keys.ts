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

/** IAM pattern for every organization's notices and nothing else. */
export const noticePartitions = 'ORG#*#NOTICES';

/** For notices, or requests for confirmation, of a day. */
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

/** `undefined` for an old entry, which has the time alone. */
export function readDueNoticeIndexKey(sortKey: string) {
  const [owner, dueAt] = sortKey.split('#');
  const organizationId = organizationIdSchema.safeParse(owner).data;
  return organizationId && { organizationId, dueAt: Number(dueAt) };
}

/** After everything waiting for this organization; without one, before everything. */
export const afterDueNoticesOf = (organizationId: OrganizationId | undefined): string =>
  organizationId === undefined ? 'org_' : `${organizationId}#~`;

/** Due notices from before the index had organizations. */
export const ungroupedDueNotices = (now: number) => ({ first: '0', last: sortableTime(now) });
