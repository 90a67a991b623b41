import { servePage } from '#shared/endpoints/serve-page';
import { pageResponse } from '#shared/http/page-response';
import { preferencesPage } from '#shared/pages/preferences-page';
import { openMailedContacts } from '#shared/sends/token-holder';
import { endpoint } from './endpoint.ts';
import { showPreferences } from './show-preferences.ts';

export const handler = servePage(
  endpoint,
  openMailedContacts,
  async ({ query: { token }, linkHost }, contacts) => {
    const view = await showPreferences(token, contacts, linkHost);
    const form = { action: `/preferences?token=${token}` };
    return pageResponse(200, preferencesPage({ ...view, saved: false, form }));
  },
);
