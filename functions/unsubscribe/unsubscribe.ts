import {
  findMailRecipient,
  type MailRecipient,
  type MailRecipientDependencies,
} from '#shared/contacts/mail-recipient';
import {
  type UnsubscribeDependencies,
  type UnsubscribeRequest,
  unsubscribeAddress,
} from '#shared/contacts/unsubscribe-address';

/**
 * Ends bulk email for whom the token speaks, else to the address that is given. Idempotent.
 *
 * @returns whom the token speaks for; nothing for a bare address, so that nothing is told about it.
 * @throws ServiceError `contact_not_found` for a token that is not ours; as `unsubscribeAddress`
 */
export async function unsubscribe(
  token: string | undefined,
  request: UnsubscribeRequest,
  dependencies: MailRecipientDependencies & UnsubscribeDependencies,
): Promise<MailRecipient | undefined> {
  if (token === undefined) {
    await unsubscribeAddress(request, dependencies);
    return undefined;
  }
  const recipient = await findMailRecipient('unsubscribe', token, dependencies);
  await dependencies.suppress(recipient.contact, dependencies.now());
  return recipient;
}
