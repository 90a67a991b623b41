import { parseEmailAddress } from '#shared/contacts/email-address';
import { erasedAddress, withoutAddress } from '#shared/contacts/erased-address';
import type { EventRecipient } from '#shared/events/event';
import { mergeRecipients } from '#shared/events/merge-events';
import type { Send } from '#shared/sending/send';

/**
 * The recipients of a bounce or complaint, as they are stored and told. SES names them by address, also
 * when a person was erased from the send meanwhile. So whom such a send does not name is not named here
 * either. Of any other send, SES may well name somebody else: mail is forwarded.
 */
export function shownRecipients(
  { toEmail, cc, bcc }: Pick<Send, 'toEmail' | 'cc' | 'bcc'>,
  reported: readonly EventRecipient[],
): EventRecipient[] {
  const named = [toEmail, ...cc, ...bcc];
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

/** The identity of an address as SES reports it. */
export function identityOf(email: string): string {
  const address = parseEmailAddress(email);
  return address.ok ? address.value.identity : email.toLowerCase();
}
