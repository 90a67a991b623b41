import { type Preferences, preferencesOf } from '#shared/preferences/preferences';
import { findKnownTokenHolder, type MailedContacts } from '#shared/sends/token-holder';

type PreferencesView = {
  readonly organizationName: string;
  readonly preferences: Preferences;
  readonly unsubscribedFromAll: boolean;
};

/** The token holder's. Following the link changes nothing. */
export async function showPreferences(
  token: string | undefined,
  contacts: MailedContacts,
  linkHost?: string,
): Promise<PreferencesView> {
  const { organization, contact } = await findKnownTokenHolder(
    'preferences',
    token,
    contacts,
    linkHost,
  );
  return {
    organizationName: organization.name,
    preferences: preferencesOf(contact, await contacts.categories.list(organization.id)),
    unsubscribedFromAll: contact.unsubscribe !== undefined,
  };
}
