import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openSendListStore } from '#shared/sends/send-list-store';
import { toSendView } from '#shared/sends/send-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listSends } from './list-sends.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  sends: openSendListStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { sends, ...page } = await listSends(
    presentedCredential(headers),
    () => parseParameters(endpoint.query, query),
    reading,
  );
  const now = reading.now();
  return jsonResponse(
    endpoint.answers[200].body.parse({ data: sends.map((send) => toSendView(send, now)), ...page }),
  );
});
