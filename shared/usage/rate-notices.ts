import { type Notice, newNotice } from '#shared/notices/notice';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Month } from './month.ts';
import { leastNotedRecipients, nearShare, percentOf, reviewRates } from './reputation-limits.ts';
import type { UsageCounts } from './usage-counts.ts';

/** `pause` is the rate at which AWS may pause sending. */
const limits = [
  { ...reviewRates.bounced, word: 'bounce', counter: 'bouncedRecipients', pause: '10%' },
  { ...reviewRates.complained, word: 'complaint', counter: 'complainedRecipients', pause: '0.5%' },
] as const;

/** Also counts soft bounces, which SES leaves out, so it warns rather early. */
export function rateNotices(
  organizationId: OrganizationId,
  month: Month,
  counts: Pick<UsageCounts, 'recipients' | 'bouncedRecipients' | 'complainedRecipients'>,
  now: number,
): Notice[] {
  if (counts.recipients < leastNotedRecipients) return [];
  return limits.flatMap(({ perMille, limit, word, counter, pause }) => {
    if (counts[counter] * 1_000 < nearShare * perMille * counts.recipients) return [];
    const rate = `${percentOf(counts[counter], counts.recipients)}%`;
    const text = `In ${month}, ${counts[counter]} of the ${counts.recipients} recipients of your emails led to a ${word}: ${rate}.

At ${limit}, AWS puts an account under review; at ${pause} it may pause all sending.

Stop sending to old, bought or unconfirmed lists, and find out what went wrong: GET /api/v1/sends/{id} shows what the recipients’ servers said.`;
    const subject = `Your ${word} rate is ${rate}`;
    return [newNotice(organizationId, { cause: `${word}_rate`, about: month, subject, text }, now)];
  });
}
