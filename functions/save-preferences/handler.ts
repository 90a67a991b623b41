import { servePage } from '#shared/endpoints/serve-page';
import { pageResponse } from '#shared/http/page-response';
import { parseFormLists } from '#shared/http/parse-request';
import { preferencesPage } from '#shared/pages/preferences-page';
import { preferencesOf } from '#shared/preferences/preferences';
import { findKnownTokenHolder, openMailedContacts } from '#shared/sends/token-holder';
import { endpoint } from './endpoint.ts';
import { savePreferences } from './save-preferences.ts';

export const handler = servePage(
  endpoint,
  openMailedContacts,
  async ({ query: { token }, readFields, linkHost }, contacts) => {
    const holder = await findKnownTokenHolder('preferences', token, contacts, linkHost);
    await savePreferences(holder, parseFormLists(endpoint.body, await readFields()), contacts);

    const { organization, contact } = await findKnownTokenHolder(
      'preferences',
      token,
      contacts,
      linkHost,
    );
    const page = preferencesPage({
      organizationName: organization.name,
      preferences: preferencesOf(contact, await contacts.categories.list(organization.id)),
      unsubscribedFromAll: contact.unsubscribe !== undefined,
      saved: true,
      form: { action: `/preferences?token=${token}` },
    });
    return pageResponse(200, page);
  },
);
