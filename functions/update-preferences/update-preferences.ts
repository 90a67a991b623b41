import { changePreferences } from '#shared/contacts/change-preferences';
import type { Contacts } from '#shared/contacts/contacts';
import { type ContactQuery, identifyContact } from '#shared/contacts/identify-contact';
import type { Preferences, Subscription } from '#shared/contacts/preferences';

/**
 * Changes what a contact is subscribed to, for a person with a token or a program with a key.
 *
 * @throws ServiceError as `identifyContact` and `changePreferences`
 */
export async function updatePreferences(
  query: ContactQuery,
  changes: readonly Subscription[],
  contacts: Contacts,
): Promise<Preferences> {
  const contact = await identifyContact(query, 'change', contacts);
  return changePreferences(contact, changes, contacts);
}
