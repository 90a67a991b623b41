import {
  type Contact,
  isSubscribed,
  type SuppressionReason,
  suppressionReasons,
} from '#shared/contacts/contact';
import type { Policy } from '#shared/organizations/organization';

type BlockReason = SuppressionReason | 'unsubscribed_category';

const blockedBy = {
  transactional: ['bounce', 'complaint', 'manual'],
  bulk: suppressionReasons,
} as const satisfies Record<Policy['kind'], readonly SuppressionReason[]>;

/** `undefined` if the email may go out. */
export function blockReasonOf(contact: Contact, policy: Policy): BlockReason | undefined {
  const suppression = blockedBy[policy.kind].find((reason) => blocks(contact[reason], policy));
  if (suppression !== undefined) return suppression;

  const { categoryKey } = policy;
  const subscribed = categoryKey === undefined || isSubscribed(contact, categoryKey);
  return subscribed ? undefined : 'unsubscribed_category';
}

/** A password reset must reach people who may have complained: most of them didn't. */
const blocks = (suppression: Contact[SuppressionReason], { kind }: Policy): boolean =>
  suppression !== undefined && !(kind === 'transactional' && suppression.possible === true);
