import { servePage } from '#shared/endpoints/serve-page';
import { redirectResponse } from '#shared/http/http-response';
import { pageResponse } from '#shared/http/page-response';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import {
  categoryToLeave,
  findTokenHolder,
  openMailedContacts,
  preferencesPathOf,
  unsubscribePathOf,
} from '#shared/sends/token-holder';
import { endpoint } from './endpoint.ts';
import { showUnsubscribe } from './show-unsubscribe.ts';

export const handler = servePage(
  endpoint,
  openMailedContacts,
  async ({ query: { token }, linkHost }, contacts) => {
    const holder = await findTokenHolder('unsubscribe', token, contacts, linkHost);
    const view = showUnsubscribe(holder);
    if (view.kind === 'redirect') return redirectResponse(view.url);

    const page = unsubscribePage({
      state: 'confirm',
      organizationName: holder.organization.name,
      email: holder.contact.email,
      preferencesUrl: preferencesPathOf(holder),
      category: categoryToLeave(holder),
      form: { action: unsubscribePathOf(holder) },
    });
    return pageResponse(200, page);
  },
);
