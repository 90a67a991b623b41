import type { Category } from '#shared/contacts/category';
import { type Contact, isKnown } from '#shared/contacts/contact';
import {
  type ContactQuery,
  contactNotFound,
  type IdentifyDependencies,
  identifyContact,
} from '#shared/contacts/identify-contact';
import { type Preferences, preferencesOf } from '#shared/contacts/preferences';
import { type ContactId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';

export type GetPreferencesDependencies = IdentifyDependencies & {
  readonly getContact: (id: ContactId) => Promise<Contact | undefined>;
  readonly listCategories: (organizationId: OrganizationId) => Promise<readonly Category[]>;
};

/**
 * Reads what a contact is subscribed to.
 *
 * @throws ServiceError as `identifyContact`; `contact_not_found`
 */
export async function getPreferences(
  query: ContactQuery,
  dependencies: GetPreferencesDependencies,
): Promise<Preferences> {
  const { contactId } = await identifyContact(query, 'preferences_read', dependencies);
  const [contact, categories] = await Promise.all([
    dependencies.getContact(contactId),
    dependencies.listCategories(organizationIdOf(contactId)),
  ]);
  if (!isKnown(contact)) throw contactNotFound();
  return preferencesOf(contact, categories);
}
