import { type Contact, isKnown, type KnownContact } from '#shared/contacts/contact';
import { ensureContact, getContact } from '#shared/contacts/contact-store';
import { ServiceError } from '#shared/errors/service-error';
import { requireOwnLinkHost } from '#shared/organizations/link-domains';
import type { Organization } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import type { CategoryToLeave } from '#shared/pages/unsubscribe-page';
import { getCategory } from '#shared/preferences/category-store';
import {
  type ContactToken,
  type ContactTokenPurpose,
  readContactToken,
} from '#shared/preferences/contact-token';
import type { Category } from '#shared/preferences/preferences';
import { identitiesIn } from '#shared/sending/erased-recipients';
import type { TableAndClock } from '#shared/table/table-client';
import { contactIdOf, organizationIdOf } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import { getSend } from './timeline-store.ts';

export type TokenReading = TableAndClock & { readonly keyring: () => Promise<Keyring> };

export type TokenHolder = {
  readonly token: ContactToken;
  readonly text: string;
  /** Whether the token opens the preferences. A token from a header can only unsubscribe. */
  readonly opensPreferences: boolean;
  readonly organization: Organization;
  readonly contact: Contact;
  /** The category that unsubscribing leaves. Absent for all bulk email, also if the category was deleted since. */
  readonly category?: Category | undefined;
};

type KnownTokenHolder = TokenHolder & { readonly contact: KnownContact };

/**
 * For a page that shows the person's data.
 *
 * @throws ServiceError `contact_not_found`, also for an erased person
 */
export async function findKnownTokenHolder(
  use: ContactTokenPurpose,
  text: string | undefined,
  reading: TokenReading,
  linkHost?: string,
): Promise<KnownTokenHolder> {
  const holder = await findTokenHolder(use, text, reading, linkHost);
  const { contact } = holder;
  if (!isKnown(contact)) throw new ServiceError('contact_not_found');
  return { ...holder, contact };
}

/**
 * Accepts erased people and recipients of a paused organization: they can still unsubscribe.
 *
 * @throws ServiceError as `lookUpTokenHolder`; `sender_gone`
 */
export async function findTokenHolder(
  use: ContactTokenPurpose,
  text: string | undefined,
  reading: TokenReading,
  linkHost?: string,
): Promise<TokenHolder> {
  const found = await lookUpTokenHolder(use, text, reading, linkHost);
  if (found !== 'sender gone') return found;
  throw new ServiceError('sender_gone');
}

/**
 * `sender gone` if the organization has been deleted.
 *
 * @param linkHost the link domain that the request came to: there, only tokens of the organization that has it count.
 * @throws ServiceError `contact_not_found` for a token that is missing, forged or made for another use
 */
export async function lookUpTokenHolder(
  use: ContactTokenPurpose,
  text: string | undefined,
  reading: TokenReading,
  linkHost?: string,
): Promise<TokenHolder | 'sender gone'> {
  if (text === undefined) throw new ServiceError('contact_not_found');
  const { table } = reading;
  const keyring = await reading.keyring();
  const token = readContactToken(keyring, use, text);
  if (token === undefined) throw new ServiceError('contact_not_found');
  const organizationId = organizationIdOf(token.contactId);
  const [organization, known, category] = await Promise.all([
    getOrganization(table, organizationId),
    getContact(table, token.contactId),
    use === 'unsubscribe' && token.categoryKey !== undefined
      ? getCategory(table, organizationId, token.categoryKey)
      : undefined,
  ]);
  requireOwnLinkHost(linkHost, organization, 'contact_not_found');
  if (organization === undefined) return 'sender gone';
  const contact = known ?? (await contactOfSend(token, reading));
  if (contact === undefined) throw new ServiceError('contact_not_found');
  const opensPreferences = readContactToken(keyring, 'preferences', text) !== undefined;
  return { token, text, opensPreferences, organization, contact, category };
}

/** The contact is stored after the send is committed. If the process died in between, this stores it. */
async function contactOfSend(
  { contactId, feedbackId }: ContactToken,
  { table, now }: TokenReading,
): Promise<Contact | undefined> {
  const send = await getSend(table, feedbackId, now());
  if (send === undefined) return undefined;
  const organizationId = organizationIdOf(contactId);
  const identity = identitiesIn(send).find((one) => contactIdOf(organizationId, one) === contactId);
  if (identity === undefined) return undefined;
  await ensureContact(table, organizationId, identity, send.claimedAt);
  return getContact(table, contactId);
}

/**
 * Carries the token as presented: no page turns a weaker token into a stronger one. An erased person has no
 * preferences.
 */
export const preferencesPathOf = ({
  text,
  opensPreferences,
  contact,
}: Pick<TokenHolder, 'text' | 'opensPreferences' | 'contact'>): string | undefined =>
  opensPreferences && isKnown(contact) ? `/preferences?token=${text}` : undefined;

export const unsubscribePathOf = ({ text }: Pick<TokenHolder, 'text'>): string =>
  `/api/unsubscribe?token=${text}`;

/** The category's name, and the way to leave everything unless that's done. */
export function categoryToLeave(holder: TokenHolder): CategoryToLeave | undefined {
  const { category, contact } = holder;
  if (category === undefined) return undefined;
  const everything = { action: `${unsubscribePathOf(holder)}&everything=true` };
  return { name: category.name, ...(contact.unsubscribe === undefined && { everything }) };
}
