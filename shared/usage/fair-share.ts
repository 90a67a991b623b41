import type { OrganizationId } from '#shared/tokens/resource-id';

/** With fewer recipients in a batch of the stream, nobody is in anyone's way. */
export const leastRecipients = 100;
/** More than this many times the even share is unfair. */
export const unfairFactor = 1.5;
/** How long an organization counts as over its share. A batch comes every 20 s, so it is noted again by then. */
export const overShareMs = 60_000;

/**
 * The organizations that sent more than their share of one batch. A shard of the stream gets a random part of
 * all sends, as each has its own partition, so its shares represent everyone's, within chance.
 *
 * When SES throttles the account, these are refused at once, while the others are retried for a while
 * (`email/ses-email-provider.ts`). This is half a minute late and only decides who waits; only a queue would
 * share exactly.
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
