import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { sourceNetworkOf } from '#shared/http/source-address';
import { openContacts } from '#shared/preferences/contacts';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { getPreferences } from './get-preferences.ts';

const environment = parseEnvironment(contactEnvironment);
const contacts = openContacts(environment, openTable(environment.TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, query, source }) => {
  const preferences = await getPreferences(
    {
      credential: presentedCredential(headers),
      source: sourceNetworkOf(source, environment.PROXIES_IN_FRONT),
      parse: () => parseParameters(endpoint.query, query),
    },
    contacts,
  );
  return jsonResponse(endpoint.answers[200].body.parse(preferences));
});
