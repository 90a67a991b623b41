import { type Preferences, preferencesOf } from '#shared/preferences/preferences';
import { findKnownTokenHolder, type MailedContacts } from '#shared/sends/token-holder';

/** What a person sees after following the preferences link. */
export type PreferencesView = {
  readonly organizationName: string;
  readonly preferences: Preferences;
  readonly unsubscribedFromAll: boolean;
};

/** Finds the preferences of the person whom the token of an email identifies. Following the link changes nothing. */
export async function showPreferences(
  token: string | undefined,
  contacts: MailedContacts,
): Promise<PreferencesView> {
  const { organization, contact } = await findKnownTokenHolder('preferences', token, contacts);
  return {
    organizationName: organization.name,
    preferences: preferencesOf(contact, await contacts.categories.list(organization.id)),
    unsubscribedFromAll: contact.unsubscribe !== undefined,
  };
}
