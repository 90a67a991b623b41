import {
  type ChangePreferencesDependencies,
  changePreferences,
} from '#shared/contacts/change-preferences';
import {
  type ContactQuery,
  type IdentifyDependencies,
  identifyContact,
} from '#shared/contacts/identify-contact';
import type { Preferences, Subscription } from '#shared/contacts/preferences';

export type UpdatePreferencesDependencies = IdentifyDependencies & ChangePreferencesDependencies;

/**
 * Changes what a contact is subscribed to, for a person with a token or a program with a key.
 *
 * @throws ServiceError as `identifyContact` and `changePreferences`
 */
export async function updatePreferences(
  query: ContactQuery,
  changes: readonly Subscription[],
  dependencies: UpdatePreferencesDependencies,
): Promise<Preferences> {
  const contact = await identifyContact(query, 'preferences_manage', dependencies);
  return changePreferences(contact, changes, dependencies);
}
