import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { type Key, organizationPartition, sha256, sortableTime } from './keys.ts';

/** Names one cause of notices on one day. */
export type NoticeName = {
  readonly organizationId: OrganizationId;
  readonly cause: string;
  /** What it is about, for example the id of an endpoint. */
  readonly about: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
};

const noticePartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#NOTICES`;

export const noticeKey = ({ organizationId, cause, about, day }: NoticeName): Key => ({
  pk: noticePartition(organizationId),
  sk: `${day}#${cause}#${about}`,
});

/** Every organization's notices and nothing else, as IAM writes it. */
export const noticePartitions = 'ORG#*#NOTICES';

/** Counts an organization's emails of a day: notices, or those that ask for a confirmation. */
export const noticeCountKey = (
  organizationId: OrganizationId,
  what: 'SENT' | 'CONFIRMATIONS',
  day: string,
): Key => ({ pk: noticePartition(organizationId), sk: `${what}#${day}` });

/** Counts the emails of a day that ask for a confirmation of this mailbox, whoever has them sent. */
export const confirmationCountKey = (mailbox: string, day: string): Key => ({
  pk: `ADDRESS#${sha256(mailbox)}`,
  sk: `CONFIRMATIONS#${day}`,
});

/** Where the notices of all organizations wait to be sent: organization by organization, each in the order of time. */
export const dueNoticesPartition = 'NOTICES_DUE';

/** `dueAt` in epoch milliseconds. */
export const dueNoticeIndexKey = (organizationId: OrganizationId, dueAt: number) => ({
  gsi1pk: dueNoticesPartition,
  gsi1sk: `${organizationId}#${sortableTime(dueAt)}`,
});

/** The organization and the time of an entry; `undefined` where it has the time alone, as it once had. */
export function readDueNoticeIndexKey(sortKey: string) {
  const [owner, dueAt] = sortKey.split('#');
  const organizationId = organizationIdSchema.safeParse(owner).data;
  return organizationId && { organizationId, dueAt: Number(dueAt) };
}

/** After all that waits for this organization; without one, before all that waits for any. */
export const afterDueNoticesOf = (organizationId: OrganizationId | undefined): string =>
  organizationId === undefined ? 'org_' : `${organizationId}#~`;

/** What was filed before the index had organizations, as far as it is due. */
export const ungroupedDueNotices = (now: number) => ({ first: '0', last: sortableTime(now) });
