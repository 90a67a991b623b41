import { type Contact, isKnown } from '#shared/contacts/contact';
import type { EmailAddress } from '#shared/contacts/email-address';
import type { Policy } from '#shared/organizations/organization';
import { blockReasonOf } from '#shared/suppressions/block-reason';
import type { recipientsIn } from './request/send-request.ts';
import type { SuppressedRecipient } from './send.ts';

/**
 * Who gets an email under its policy, and who was left out. `blockReasonOf` in `suppressions/block-reason.ts` says
 * which suppressions count for which policy.
 */
export type Recipients = {
  readonly to: readonly EmailAddress[];
  readonly cc: readonly EmailAddress[];
  readonly bcc: readonly EmailAddress[];
  readonly suppressed: readonly SuppressedRecipient[];
  /** Whether every `to` is blocked. Then nobody gets the email. */
  readonly isToSuppressed: boolean;
  /** Whether the organization doesn't know the address, or has erased it. */
  readonly isNew: (address: EmailAddress) => boolean;
};

/** Recipients whose address the organization doesn't know yet. */
export const newRecipientsOf = ({ isNew, ...recipients }: Recipients): EmailAddress[] =>
  mailedIn(recipients).filter(isNew);

/** How many people get the email. An email without recipients counts as one, like any refused request. */
export const countRecipients = (recipients: Recipients): number =>
  Math.max(1, mailedIn(recipients).length);

const mailedIn = ({ to, cc, bcc, isToSuppressed }: Omit<Recipients, 'isNew'>): EmailAddress[] =>
  isToSuppressed ? [] : [...to, ...cc, ...bcc];

/** Drops the recipients that the policy forbids. */
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
