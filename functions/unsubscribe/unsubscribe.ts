import { type UnsubscribeRequest, unsubscribeAddress } from '#shared/contacts/unsubscribe-address';
import type { MailedContacts } from '#shared/sending/mailed-contacts';
import { findTokenHolder, type TokenHolder } from '#shared/sending/token-holder';

/**
 * Ends bulk email to the holder of the token, else to the address that is given. Idempotent.
 *
 * @returns the holder of the token; nothing for a bare address, so that the answer tells nothing about it.
 * @throws ServiceError `contact_not_found` for a token that is not ours; as `unsubscribeAddress`
 */
export async function unsubscribe(
  token: string | undefined,
  request: UnsubscribeRequest,
  contacts: MailedContacts,
): Promise<TokenHolder | undefined> {
  if (token === undefined) {
    await unsubscribeAddress(request, contacts);
    return undefined;
  }
  const holder = await findTokenHolder('unsubscribe', token, contacts);
  await contacts.outbox.unsubscribe(holder.contact, contacts.now());
  return holder;
}
