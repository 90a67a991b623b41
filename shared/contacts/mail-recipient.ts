import type { Organization } from '#shared/organizations/organization';
import {
  type ContactId,
  type FeedbackId,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { type Contact, isKnown, type KnownContact } from './contact.ts';
import type { ContactToken, ContactTokenPurpose } from './contact-token.ts';
import { contactNotFound } from './identify-contact.ts';

/** Whom a token in a mail speaks for. */
export type MailRecipient = {
  readonly token: ContactToken;
  readonly organization: Organization;
  readonly contact: Contact;
};

export type MailRecipientDependencies = {
  readonly now: () => number;
  readonly readToken: (
    purpose: ContactTokenPurpose,
    text: string,
  ) => Promise<ContactToken | undefined>;
  readonly getOrganization: (id: OrganizationId) => Promise<Organization | undefined>;
  readonly getContact: (id: ContactId) => Promise<Contact | undefined>;
  /** The normalised address a send went to. */
  readonly recipientOf: (feedbackId: FeedbackId) => Promise<string | undefined>;
  readonly ensureContact: (id: OrganizationId, identity: string, now: number) => Promise<void>;
};

/** Whom a token speaks for, with an address to show. */
export type KnownMailRecipient = MailRecipient & { readonly contact: KnownContact };

/**
 * Finds whom a token speaks for, where there is something to show of that person.
 *
 * @throws ServiceError `contact_not_found` also for a person who was erased.
 */
export async function findKnownMailRecipient(
  purpose: ContactTokenPurpose,
  text: string | undefined,
  dependencies: MailRecipientDependencies,
): Promise<KnownMailRecipient> {
  const recipient = await findMailRecipient(purpose, text, dependencies);
  const { contact } = recipient;
  if (!isKnown(contact)) throw contactNotFound();
  return { ...recipient, contact };
}

/**
 * Finds whom a token speaks for. A person who was erased may still unsubscribe.
 *
 * @throws ServiceError `contact_not_found` for a token that is missing, forged or of another purpose.
 */
export async function findMailRecipient(
  purpose: ContactTokenPurpose,
  text: string | undefined,
  dependencies: MailRecipientDependencies,
): Promise<MailRecipient> {
  const token = text === undefined ? undefined : await dependencies.readToken(purpose, text);
  if (token === undefined) throw contactNotFound();
  const [organization, contact] = await Promise.all([
    dependencies.getOrganization(organizationIdOf(token.contactId)),
    findContact(token, dependencies),
  ]);
  if (organization === undefined || contact === undefined) throw contactNotFound();
  return { token, organization, contact };
}

/**
 * The contact is stored beside the send's commit, so a process that died between the two left an email
 * without a contact. The send knows the address; the contact is made up for here.
 */
async function findContact(
  { contactId, feedbackId }: ContactToken,
  { getContact, recipientOf, ensureContact, now }: MailRecipientDependencies,
): Promise<Contact | undefined> {
  const contact = await getContact(contactId);
  if (contact !== undefined) return contact;
  const identity = await recipientOf(feedbackId);
  if (identity === undefined) return undefined;
  await ensureContact(organizationIdOf(contactId), identity, now());
  return getContact(contactId);
}
