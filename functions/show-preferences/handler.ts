import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { openContacts } from '#shared/contacts/contacts';
import { preferencesOf } from '#shared/contacts/preferences';
import { findKnownTokenHolder } from '#shared/contacts/token-holder';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/http/page-response';
import { preferencesPage } from '#shared/pages/preferences-page';

const contacts = openContacts(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ query: { token } }) => {
  const { organization, contact } = await findKnownTokenHolder('preferences', token, contacts);
  const categories = await contacts.categories.list(organization.id);
  const page = preferencesPage({
    organizationName: organization.name,
    preferences: preferencesOf(contact, categories),
    unsubscribedFromAll: contact.unsubscribe !== undefined,
    saved: false,
    form: { action: `/preferences?token=${token}` },
  });
  return pageResponse(200, page);
});
