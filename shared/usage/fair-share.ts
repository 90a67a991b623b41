import type { OrganizationId } from '#shared/tokens/resource-id';

/** Fewer recipients in a batch of the stream can't get in anyone's way. */
const leastRecipients = 100;
/** More than this many times the even share is unfair. */
const unfairFactor = 1.5;
/** A batch comes every 20 s, so an organization over its share is noted again by then. */
export const overShareMs = 60_000;

/**
 * A shard of the stream gets a random part of all sends, so its shares represent everyone's, within chance.
 *
 * When SES throttles the account, these organizations are refused at once, while the others are retried for a while
 * (`email/ses-email-provider.ts`). This is half a minute late and only decides who waits; only a queue would share
 * exactly.
 *
 * @param recipients of each organization in the batch.
 */
export function overFairShare(
  recipients: ReadonlyMap<OrganizationId, number>,
): ReadonlySet<OrganizationId> {
  const total = [...recipients.values()].reduce((sum, count) => sum + count, 0);
  if (total < leastRecipients || recipients.size < 2) return new Set();
  const most = (unfairFactor * total) / recipients.size;
  return new Set([...recipients].flatMap(([id, count]) => (count > most ? [id] : [])));
}

/**
 * An organization's use of its day is checked each time a shard of the stream has counted another hundredth of its
 * limit. So a limit applies late: by the stream's half a minute, and by one hundredth per open shard. That's enough
 * against a tenant that would use up SES's daily quota, and free for sends.
 */
const looksPerLimit = 100;

/** For a shard that just counted `added`, and `counted` in the day so far. */
export function isTimeToLook(added: number, counted: number, limit: number): boolean {
  const step = Math.max(1, Math.floor(limit / looksPerLimit));
  return Math.floor(counted / step) > Math.floor((counted - added) / step);
}
