import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/http/page-response';
import { parseForm, parseParameters } from '#shared/http/parse-request';
import { sourceNetworkOf } from '#shared/http/source-address';
import { goneSenderPage } from '#shared/pages/error-pages';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import { openMailedContacts } from '#shared/sends/mailed-contacts';
import { preferencesPathOf, type TokenHolder } from '#shared/sends/token-holder';
import { endpoint } from './endpoint.ts';
import { unsubscribe } from './unsubscribe.ts';

const environment = parseEnvironment(contactEnvironment);
const contacts = openMailedContacts(environment);

/** RFC 8058 §3.2: the token is in the URL, the body says `List-Unsubscribe=One-Click`. */
export const handler = pageEndpoint(async ({ query, readFields, headers, source, wantsPage }) => {
  const { token } = parseParameters(endpoint.query, query);
  const holder = await unsubscribe(
    {
      token,
      credential: presentedCredential(headers),
      source: sourceNetworkOf(source, environment.PROXIES_IN_FRONT),
    },
    async () => parseForm(endpoint.body, await readFields()),
    contacts,
  );
  if (wantsPage && holder !== undefined) return donePage(holder);
  return jsonResponse(endpoint.answers[200].body.parse({ status: 'unsubscribed' }));
});

function donePage(holder: TokenHolder | 'sender gone'): HttpResponse {
  if (holder === 'sender gone') return pageResponse(200, goneSenderPage());
  const page = unsubscribePage({
    state: 'done',
    organizationName: holder.organization.name,
    email: holder.contact.email,
    preferencesUrl: preferencesPathOf(holder),
  });
  return pageResponse(200, page);
}
