import {
  type Contact,
  isKnown,
  isSubscribed,
  type SuppressionReason,
  suppressionReasons,
} from '#shared/contacts/contact';
import type { EmailAddress } from '#shared/contacts/email-address';
import type { Policy } from '#shared/organizations/organization';
import type { recipientsIn } from './request/send-request.ts';
import type { SuppressedRecipient } from './send.ts';

export type Recipients = {
  readonly to: readonly EmailAddress[];
  readonly cc: readonly EmailAddress[];
  readonly bcc: readonly EmailAddress[];
  readonly suppressed: readonly SuppressedRecipient[];
  /** Every `to` is blocked, so the email isn't sent. */
  readonly isToSuppressed: boolean;
  /** Unknown to the organization, or erased. */
  readonly isNew: (address: EmailAddress) => boolean;
};

export const newRecipientsOf = ({ isNew, ...recipients }: Recipients): EmailAddress[] =>
  mailedIn(recipients).filter(isNew);

/** An email without recipients counts as one, like any refused request. */
export const countRecipients = (recipients: Recipients): number =>
  Math.max(1, mailedIn(recipients).length);

const mailedIn = ({ to, cc, bcc, isToSuppressed }: Omit<Recipients, 'isNew'>): EmailAddress[] =>
  isToSuppressed ? [] : [...to, ...cc, ...bcc];

export function applyPolicy(
  request: Parameters<typeof recipientsIn>[0],
  policy: Policy,
  contactOf: (address: EmailAddress) => Contact | undefined,
): Recipients {
  const suppressed: SuppressedRecipient[] = [];
  const isAllowed = (address: EmailAddress): boolean => {
    const contact = contactOf(address);
    const reason = contact && blockReasonOf(contact, policy);
    if (reason !== undefined) suppressed.push({ email: address.address, reason });
    return reason === undefined;
  };

  const to = [request.to, ...request.moreTo].filter(isAllowed);
  return {
    to,
    cc: request.cc.filter(isAllowed),
    bcc: request.bcc.filter(isAllowed),
    suppressed,
    isToSuppressed: to.length === 0,
    isNew: (address) => !isKnown(contactOf(address)),
  };
}

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
