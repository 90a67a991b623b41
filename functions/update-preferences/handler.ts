import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { sourceNetworkOf } from '#shared/http/source-address';
import { openContacts } from '#shared/preferences/contacts';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { updatePreferences } from './update-preferences.ts';

const environment = parseEnvironment(contactEnvironment);
const contacts = openContacts(environment, openTable(environment.TABLE_NAME));

export const handler = jsonEndpoint(async ({ readBody, headers, source }) => {
  const preferences = await updatePreferences(
    {
      credential: presentedCredential(headers),
      source: sourceNetworkOf(source, environment.PROXIES_IN_FRONT),
    },
    () => parseBody(endpoint.body, readBody()),
    contacts,
  );
  return jsonResponse(endpoint.answers[200].body.parse(preferences));
});
