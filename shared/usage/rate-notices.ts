import { type Notice, newNotice } from '#shared/notices/notice';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Month } from './month.ts';
import type { UsageCounts } from './usage-counts.ts';

/** With fewer recipients, one bounce says nothing. */
export const leastRecipients = 100;

/**
 * Where AWS puts an account under review, per mille of the recipients (SES developer guide, "Reputation
 * metrics messages"). It may pause sending at 10% and 0.5%. Near means four fifths of the limit.
 */
const limits = [
  {
    cause: 'bounce_rate',
    counter: 'bouncedRecipients',
    word: 'bounce',
    near: 40,
    review: '5%',
    pause: '10%',
  },
  {
    cause: 'complaint_rate',
    counter: 'complainedRecipients',
    word: 'complaint',
    near: 0.8,
    review: '0.1%',
    pause: '0.5%',
  },
] as const;

/** Also counts soft bounces, which SES leaves out, so it warns rather early. */
export function rateNotices(
  organizationId: OrganizationId,
  month: Month,
  counts: Pick<UsageCounts, 'recipients' | 'bouncedRecipients' | 'complainedRecipients'>,
  now: number,
): Notice[] {
  if (counts.recipients < leastRecipients) return [];
  return limits.flatMap(({ cause, counter, word, near, review, pause }) => {
    const rate = counts[counter] / counts.recipients;
    if (counts[counter] * 1_000 < near * counts.recipients) return [];
    const text = `In ${month}, ${counts[counter]} of the ${counts.recipients} recipients of your emails led to a ${word}: ${percent(rate)}.

At ${review}, AWS puts an account under review; at ${pause} it may pause all sending.

Stop sending to old, bought or unconfirmed lists, and find out what went wrong: GET /api/v1/sends/{id} shows what the recipients’ servers said.`;
    const subject = `Your ${word} rate is ${percent(rate)}`;
    return [newNotice(organizationId, { cause, about: month, subject, text }, now)];
  });
}

const percent = (rate: number): string => `${Math.round(rate * 10_000) / 100}%`;
