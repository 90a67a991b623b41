import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { suppressionReasons } from '#shared/contacts/contact';
import { openContactListStore } from '#shared/contacts/contact-list-store';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listContacts } from './list-contacts.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  contacts: openContactListStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { contacts, nextCursor } = await listContacts(
    presentedCredential(headers),
    () => parseParameters(endpoint.query, query),
    reading,
  );
  const data = contacts.map((contact) => ({
    ...contact,
    suppressedFor: suppressionReasons.filter((reason) => contact[reason] !== undefined),
  }));
  return jsonResponse(endpoint.answers[200].body.parse({ data, nextCursor }));
});
