import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Key, organizationPartition, sortableTime } from './keys.ts';

/** Names one cause of notices on one day. */
export type NoticeName = {
  readonly organizationId: OrganizationId;
  readonly cause: string;
  /** What it is about, for example the id of an endpoint. */
  readonly about: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
};

export const noticeKey = ({ organizationId, cause, about, day }: NoticeName): Key => ({
  pk: `${organizationPartition(organizationId)}#NOTICES`,
  sk: `${day}#${cause}#${about}`,
});

/** Every organization's notices and nothing else, as IAM writes it. */
export const noticePartitions = 'ORG#*#NOTICES';

/** Where the notices of all organizations wait to be sent. There are a few a day. */
export const dueNoticesPartition = 'NOTICES_DUE';

/** `dueAt` in epoch milliseconds. */
export const dueNoticeIndexKey = (dueAt: number) => ({
  gsi1pk: dueNoticesPartition,
  gsi1sk: sortableTime(dueAt),
});
