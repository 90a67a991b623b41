import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { servePage } from '#shared/endpoints/serve-page';
import { pageResponse } from '#shared/http/page-response';
import { preferencesPage } from '#shared/pages/preferences-page';
import { openMailedContacts } from '#shared/sends/token-holder';
import { endpoint } from './endpoint.ts';
import { showPreferences } from './show-preferences.ts';

const contacts = openMailedContacts(parseEnvironment(contactEnvironment));

export const handler = servePage(endpoint, async ({ query: { token } }) => {
  const view = await showPreferences(token, contacts);
  const form = { action: `/preferences?token=${token}` };
  return pageResponse(200, preferencesPage({ ...view, saved: false, form }));
});
