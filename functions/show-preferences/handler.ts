import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { preferencesOf } from '#shared/contacts/preferences';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/http/page-response';
import { parseParameters } from '#shared/http/parse-request';
import { preferencesPage } from '#shared/pages/preferences-page';
import { openMailedContacts } from '#shared/sending/mailed-contacts';
import { findKnownTokenHolder } from '#shared/sending/token-holder';
import { querySchema } from './schema.ts';

const contacts = openMailedContacts(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ query }) => {
  const { token } = parseParameters(querySchema, query);
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
