import { type Contact, isKnown, type KnownContact } from '#shared/contacts/contact';
import {
  type ContactToken,
  type ContactTokenPurpose,
  readContactToken,
  signContactToken,
} from '#shared/contacts/contact-token';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { contactNotFound } from '#shared/contacts/identify-contact';
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
 * Finds the holder of a token. A person who was erased may still unsubscribe.
 *
 * @throws ServiceError `contact_not_found` for a token that is missing, forged or made for another use.
 */
export async function findTokenHolder(
  use: ContactTokenPurpose,
  text: string | undefined,
  contacts: MailedContacts,
): Promise<TokenHolder> {
  const token =
    text === undefined ? undefined : readContactToken(await contacts.keyring(), use, text);
  if (token === undefined) throw contactNotFound();
  const [organization, contact] = await Promise.all([
    contacts.organizations.get(organizationIdOf(token.contactId)),
    findContact(token, contacts),
  ]);
  if (organization === undefined || contact === undefined) throw contactNotFound();
  return { token, organization, contact };
}

/**
 * The contact is stored after the send's commit. A process that died between the two left an email
 * without a contact. The send knows the address, so the contact is stored now.
 */
async function findContact(
  { contactId, feedbackId }: ContactToken,
  { store, findSend, now }: MailedContacts,
): Promise<Contact | undefined> {
  const contact = await store.get(contactId);
  if (contact !== undefined) return contact;
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
