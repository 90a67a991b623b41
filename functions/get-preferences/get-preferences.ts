import { isKnown } from '#shared/contacts/contact';
import type { Contacts } from '#shared/preferences/contacts';
import {
  type ContactQuery,
  contactNotFound,
  identifyContact,
} from '#shared/preferences/identify-contact';
import { type Preferences, preferencesOf } from '#shared/preferences/preferences';
import { organizationIdOf } from '#shared/tokens/resource-id';

/**
 * Reads what a contact is subscribed to.
 *
 * @throws ServiceError as `identifyContact`; `contact_not_found`
 */
export async function getPreferences(
  query: ContactQuery,
  contacts: Contacts,
): Promise<Preferences> {
  const { contactId } = await identifyContact(query, 'read', contacts);
  const [contact, categories] = await Promise.all([
    contacts.store.get(contactId),
    contacts.categories.list(organizationIdOf(contactId)),
  ]);
  if (!isKnown(contact)) throw contactNotFound();
  return preferencesOf(contact, categories);
}
