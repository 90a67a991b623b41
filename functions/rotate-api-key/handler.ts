import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { toApiKeyView } from '#shared/organizations/api-key-fields';
import { openApiKeyManagement } from '#shared/organizations/api-key-management';
import { openTable } from '#shared/table/table-client';
import { rotateApiKey } from './rotate-api-key.ts';
import { pathSchema, requestSchema, responseSchema } from './schema.ts';

const management = openApiKeyManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

/** The body may be left out: every field has a default. */
export const handler = jsonEndpoint(async ({ hasBody, readBody, headers, pathParameters }) => {
  const { text, apiKey } = await rotateApiKey(
    presentedCredential(headers),
    readPath(pathSchema, pathParameters).id,
    () => parseBody(requestSchema, hasBody ? readBody() : {}),
    management,
  );
  const view = toApiKeyView(apiKey, management.now());
  return createdResponse(responseSchema.parse({ ...view, key: text }));
});
