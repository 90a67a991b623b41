import { toApiKeyView } from '#shared/access/api-key-fields';
import { openApiKeyManagement } from '#shared/access/change-api-key';
import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { rotateApiKey } from './rotate-api-key.ts';
import { pathSchema, requestSchema, responseSchema } from './schema.ts';

const environment = parseEnvironment(limitsEnvironment);
const management = openApiKeyManagement(
  openTable(environment.TABLE_NAME),
  environment.ORGANIZATION_LIMITS,
);

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
