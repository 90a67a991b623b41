import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { openRefusalNotes } from '#shared/endpoints/note-refusals';
import { openClockAndLimits } from '#shared/endpoints/open-function';
import { servePage } from '#shared/endpoints/serve-page';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import { pageResponse } from '#shared/http/page-response';
import { goneSenderPage } from '#shared/pages/error-pages';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import {
  categoryToLeave,
  openMailedContacts,
  preferencesPathOf,
  type TokenHolder,
} from '#shared/sends/token-holder';
import { endpoint } from './endpoint.ts';
import { unsubscribe } from './unsubscribe.ts';

/** RFC 8058 §3.2: the token is in the URL, the body says `List-Unsubscribe=One-Click`. */
export const handler = servePage(
  endpoint,
  (table, environment) => {
    const contacts = openMailedContacts(table, environment);
    return {
      ...contacts,
      ...openClockAndLimits(),
      dayQuotas: openDayQuotaStore(table),
      noting: openRefusalNotes(contacts),
    };
  },
  async (request, { noting, ...contacts }) => {
    const holder = await noting(request, ({ onSecret }) =>
      unsubscribe(request, { ...contacts, onSecret }),
    );
    if (request.wantsPage && holder !== undefined) return donePage(holder);
    const category = holder === 'sender gone' ? undefined : holder?.category;
    return jsonResponse({ status: 'unsubscribed', ...(category && { categoryKey: category.key }) });
  },
);

function donePage(holder: TokenHolder | 'sender gone'): HttpResponse {
  if (holder === 'sender gone') return pageResponse(200, goneSenderPage());
  const page = unsubscribePage({
    state: 'done',
    organizationName: holder.organization.name,
    email: holder.contact.email,
    preferencesUrl: preferencesPathOf(holder),
    category: categoryToLeave(holder),
  });
  return pageResponse(200, page);
}
