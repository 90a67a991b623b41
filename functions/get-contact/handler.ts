import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { getContact } from './get-contact.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  suppressions: openSuppressionListStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { contact, suppressions } = await getContact(
    presentedCredential(headers),
    parseParameters(endpoint.path, pathParameters).email,
    reading,
  );
  const subscriptions = Object.entries(contact.subscriptions).map(([categoryKey, subscribed]) => ({
    categoryKey,
    subscribed,
  }));
  return jsonResponse(
    endpoint.answers[200].body.parse({
      ...contact,
      subscriptions,
      suppressions: suppressions.map(toSuppressionView),
    }),
  );
});
