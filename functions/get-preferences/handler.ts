import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { openContacts } from '#shared/contacts/contacts';
import { preferencesSchema } from '#shared/contacts/preferences';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openTable } from '#shared/table/table-client';
import { getPreferences } from './get-preferences.ts';

const environment = parseEnvironment(contactEnvironment);
const contacts = openContacts(environment, openTable(environment.TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const preferences = await getPreferences(
    { token: query['token'], email: query['email'], credential: presentedCredential(headers) },
    contacts,
  );
  return jsonResponse(preferencesSchema.parse(preferences));
});
