import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { toApiKeyView } from '#shared/organizations/api-key-fields';
import { openApiKeyManagement } from '#shared/organizations/api-key-management';
import { openTable } from '#shared/table/table-client';
import { createApiKey } from './create-api-key.ts';
import { requestSchema, responseSchema } from './schema.ts';

const management = openApiKeyManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = jsonEndpoint(async ({ readBody, headers }) => {
  const { text, apiKey } = await createApiKey(
    presentedCredential(headers),
    () => parseBody(requestSchema, readBody()),
    management,
  );
  const view = toApiKeyView(apiKey, management.now());
  return createdResponse(responseSchema.parse({ ...view, key: text }));
});
