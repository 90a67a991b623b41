import { parseEmailAddress } from '#shared/contacts/email-address';
import { erasedAddress, withoutAddress } from '#shared/contacts/erased-address';
import type { EventRecipient } from '#shared/events/event';
import { mergeRecipients } from '#shared/events/merge-events';
import { type Addressed, addressesIn } from '#shared/sending/send';

/**
 * The recipients of a bounce or complaint. SES may still name a person who has been erased from the send, so after an
 * erasure only those the send names are shown. Otherwise SES may name anyone, because mail gets forwarded.
 */
export function shownRecipients(
  send: Addressed,
  reported: readonly EventRecipient[],
): EventRecipient[] {
  const named = addressesIn(send);
  if (!named.includes(erasedAddress)) return mergeRecipients(reported);
  const identities = new Set(named.map(identityOf));
  const shown = reported.map((recipient) => {
    const identity = identityOf(recipient.email);
    return identities.has(identity) ? recipient : withoutPerson(recipient, identity);
  });
  return mergeRecipients(shown);
}

const withoutPerson = ({ diagnostic }: EventRecipient, identity: string): EventRecipient => ({
  email: erasedAddress,
  ...(diagnostic !== undefined && { diagnostic: `${withoutAddress(diagnostic, identity)}` }),
});

/** @param email as SES reports it. */
export function identityOf(email: string): string {
  const address = parseEmailAddress(email);
  return address.ok ? address.value.identity : email.toLowerCase();
}
