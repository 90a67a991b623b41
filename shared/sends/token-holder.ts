import { type Contact, isKnown, type KnownContact } from '#shared/contacts/contact';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import {
  type ContactToken,
  type ContactTokenPurpose,
  readContactToken,
} from '#shared/preferences/contact-token';
import { contactNotFound } from '#shared/preferences/identify-contact';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { MailedContacts } from './mailed-contacts.ts';

/** The person for whom a token in an email speaks. */
export type TokenHolder = {
  readonly token: ContactToken;
  /** The token as it was presented. */
  readonly text: string;
  /** Whether that token opens the preferences: one from a header only unsubscribes. */
  readonly opensPreferences: boolean;
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
  if (text === undefined) throw contactNotFound();
  const keyring = await contacts.keyring();
  const token = readContactToken(keyring, use, text);
  if (token === undefined) throw contactNotFound();
  const [organization, known] = await Promise.all([
    contacts.organizations.get(organizationIdOf(token.contactId)),
    contacts.store.get(token.contactId),
  ]);
  if (organization === undefined) return 'sender gone';
  const contact = known ?? (await contactOfSend(token, contacts));
  if (contact === undefined) throw contactNotFound();
  const opensPreferences = readContactToken(keyring, 'preferences', text) !== undefined;
  return { token, text, opensPreferences, organization, contact };
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

/**
 * The path of the holder's preferences page, by the token that was presented: no page makes a stronger token of a
 * weaker one. An erased person has no preferences, so no path.
 */
export const preferencesPathOf = ({
  text,
  opensPreferences,
  contact,
}: Pick<TokenHolder, 'text' | 'opensPreferences' | 'contact'>): string | undefined =>
  opensPreferences && isKnown(contact) ? `/preferences?token=${text}` : undefined;
