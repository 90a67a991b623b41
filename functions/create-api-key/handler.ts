import { toApiKeyView } from '#shared/access/api-key-fields';
import { openApiKeyManagement } from '#shared/access/change-api-key';
import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { createApiKey } from './create-api-key.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(limitsEnvironment);
const management = openApiKeyManagement(
  openTable(environment.TABLE_NAME),
  environment.ORGANIZATION_LIMITS,
);

export const handler = jsonEndpoint(async ({ readBody, headers }) => {
  const { text, apiKey } = await createApiKey(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    management,
  );
  const view = toApiKeyView(apiKey, management.now());
  return createdResponse(endpoint.answers[201].body.parse({ ...view, key: text }));
});
