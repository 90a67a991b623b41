import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { createSuppression } from './create-suppression.ts';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const creation = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  suppressions: openSuppressionStore(table),
  suppressionList: openSuppressionListStore(table),
};

export const handler = jsonEndpoint(async ({ headers, readBody }) => {
  const created = await createSuppression(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    creation,
  );
  return createdResponse(endpoint.answers[201].body.parse(toSuppressionView(created)));
});
