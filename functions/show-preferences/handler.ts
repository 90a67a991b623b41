import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/http/page-response';
import { parseParameters } from '#shared/http/parse-request';
import { preferencesPage } from '#shared/pages/preferences-page';
import { openMailedContacts } from '#shared/sends/mailed-contacts';
import { endpoint } from './endpoint.ts';
import { showPreferences } from './show-preferences.ts';

const contacts = openMailedContacts(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ query }) => {
  const { token } = parseParameters(endpoint.query, query);
  const view = await showPreferences(token, contacts);
  const form = { action: `/preferences?token=${token}` };
  return pageResponse(200, preferencesPage({ ...view, saved: false, form }));
});
