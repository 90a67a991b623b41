import { type Contact, isKnown, type KnownContact } from '#shared/contacts/contact';
import {
  type ContactToken,
  type ContactTokenPurpose,
  readContactToken,
  signContactToken,
} from '#shared/contacts/contact-token';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { contactNotFound } from '#shared/contacts/identify-contact';
import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import type { MailedContacts } from './mailed-contacts.ts';

/** The person for whom a token in an email speaks. */
export type TokenHolder = {
  readonly token: ContactToken;
  readonly organization: Organization;
  readonly contact: Contact;
};

/** A token holder with an address to show. */
export type KnownTokenHolder = TokenHolder & { readonly contact: KnownContact };

/**
 * Finds the holder of a token, for a page that shows what is known of the person.
 *
 * @throws ServiceError `contact_not_found` also for a person who was erased.
 */
export async function findKnownTokenHolder(
  use: ContactTokenPurpose,
  text: string | undefined,
  contacts: MailedContacts,
): Promise<KnownTokenHolder> {
  const holder = await findTokenHolder(use, text, contacts);
  const { contact } = holder;
  if (!isKnown(contact)) throw contactNotFound();
  return { ...holder, contact };
}

/**
 * Finds the holder of a token. A person who was erased may still unsubscribe, and so may one whom a paused
 * organization wrote to.
 *
 * @throws ServiceError as `lookUpTokenHolder`; `sender_gone`
 */
export async function findTokenHolder(
  use: ContactTokenPurpose,
  text: string | undefined,
  contacts: MailedContacts,
): Promise<TokenHolder> {
  const found = await lookUpTokenHolder(use, text, contacts);
  if (found !== 'sender gone') return found;
  throw new ServiceError('sender_gone', 'The sender of this email was deleted. It sends no more.');
}

/**
 * Finds the holder of a token, and whether its organization was deleted since.
 *
 * @throws ServiceError `contact_not_found` for a token that is missing, forged or made for another use.
 */
export async function lookUpTokenHolder(
  use: ContactTokenPurpose,
  text: string | undefined,
  contacts: MailedContacts,
): Promise<TokenHolder | 'sender gone'> {
  const token =
    text === undefined ? undefined : readContactToken(await contacts.keyring(), use, text);
  if (token === undefined) throw contactNotFound();
  const [organization, known] = await Promise.all([
    contacts.organizations.get(organizationIdOf(token.contactId)),
    contacts.store.get(token.contactId),
  ]);
  if (organization === undefined) return 'sender gone';
  const contact = known ?? (await contactOfSend(token, contacts));
  if (contact === undefined) throw contactNotFound();
  return { token, organization, contact };
}

/**
 * The contact is stored after the send's commit. A process that died between the two left an email
 * without a contact. The send knows the address, so the contact is stored now.
 */
async function contactOfSend(
  { contactId, feedbackId }: ContactToken,
  { store, findSend, now }: MailedContacts,
): Promise<Contact | undefined> {
  const send = await findSend(feedbackId, now());
  const identity = send && recipientIdentityOf(send.toEmail);
  if (identity === undefined) return undefined;
  await store.ensure(organizationIdOf(contactId), identity, now());
  return store.get(contactId);
}

/** The path of the holder's preferences page. An erased person has no preferences, so no path. */
export const preferencesPathOf = (
  { token, contact }: TokenHolder,
  keyring: Keyring,
): string | undefined =>
  isKnown(contact)
    ? `/preferences?token=${signContactToken(keyring, 'preferences', token)}`
    : undefined;
