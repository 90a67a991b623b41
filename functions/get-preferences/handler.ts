import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { openContacts } from '#shared/contacts/contacts';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { getPreferences } from './get-preferences.ts';
import { querySchema, responseSchema } from './schema.ts';

const environment = parseEnvironment(contactEnvironment);
const contacts = openContacts(environment, openTable(environment.TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { token, email } = parseParameters(querySchema, query);
  const credential = presentedCredential(headers);
  const preferences = await getPreferences({ token, email, credential }, contacts);
  return jsonResponse(responseSchema.parse(preferences));
});
