import { authenticateCaller } from '#shared/access/authenticate';
import { changePreferences } from '#shared/preferences/change-preferences';
import type { Contacts } from '#shared/preferences/contacts';
import { type ContactQuery, findContact } from '#shared/preferences/identify-contact';
import type { Preferences } from '#shared/preferences/preferences';
import type { UpdatePreferencesRequest } from './endpoint.ts';

/**
 * Changes what a contact is subscribed to, for a person with a token or a program with a key.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`; as `findContact` and `changePreferences`
 */
export async function updatePreferences(
  { credential, source }: Pick<ContactQuery, 'credential' | 'source'>,
  parse: () => UpdatePreferencesRequest,
  contacts: Contacts,
): Promise<Preferences> {
  const apiKey = await authenticateCaller(credential, 'preferences_manage', contacts);
  const { subscriptions, ...names } = parse();
  const contact = await findContact({ ...names, source }, apiKey, 'change', contacts);
  return changePreferences(contact, subscriptions, contacts);
}
