import { authenticateKey } from '#shared/access/authenticate';
import {
  type AddressToUnsubscribe,
  unsubscribeAddress,
} from '#shared/preferences/unsubscribe-address';
import type { MailedContacts } from '#shared/sends/mailed-contacts';
import { lookUpTokenHolder, type TokenHolder } from '#shared/sends/token-holder';

export type UnsubscribeCommand = {
  /** Of the URL. With it the body has nothing to say (RFC 8058 §3.2), and is not read. */
  readonly token: string | undefined;
  readonly credential: string | undefined;
  /** The network that the request came from. */
  readonly source: string;
};

/** Whose email ends, as the body says. */
export type UnsubscribeNames = AddressToUnsubscribe & { readonly token?: string | undefined };

/**
 * Ends bulk email to the holder of the token, else to the address that is given. Idempotent.
 *
 * @param read reads the body, once the caller is known.
 * @returns the holder of the token; nothing for a bare address, so that the answer tells nothing about it. A sender
 *   that was deleted sends no more, so a token of its email has what it asks for.
 * @throws ServiceError `contact_not_found` for a token that is not ours; `invalid_api_key`; as
 *   `unsubscribeAddress`
 */
export async function unsubscribe(
  { token, credential, source }: UnsubscribeCommand,
  read: () => Promise<UnsubscribeNames>,
  contacts: MailedContacts,
): Promise<TokenHolder | 'sender gone' | undefined> {
  if (token !== undefined) return unsubscribeHolder(token, contacts);
  const apiKey = credential === undefined ? undefined : await authenticateKey(credential, contacts);
  const { token: tokenOfBody, ...address } = await read();
  if (tokenOfBody !== undefined) return unsubscribeHolder(tokenOfBody, contacts);
  await unsubscribeAddress(address, apiKey, source, contacts);
  return undefined;
}

async function unsubscribeHolder(
  token: string,
  contacts: MailedContacts,
): Promise<TokenHolder | 'sender gone'> {
  const holder = await lookUpTokenHolder('unsubscribe', token, contacts);
  if (holder !== 'sender gone') await contacts.outbox.unsubscribe(holder.contact, contacts.now());
  return holder;
}
