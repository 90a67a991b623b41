import { toApiKeyView } from '#shared/access/api-key-fields';
import { openApiKeyManagement } from '#shared/access/change-api-key';
import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { rotateApiKey } from './rotate-api-key.ts';

const environment = parseEnvironment(limitsEnvironment);
const management = openApiKeyManagement(
  openTable(environment.TABLE_NAME),
  environment.ORGANIZATION_LIMITS,
);

/** The body may be left out: every field has a default. */
export const handler = jsonEndpoint(async ({ hasBody, readBody, headers, pathParameters }) => {
  const { text, apiKey } = await rotateApiKey(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).id,
    () => parseBody(endpoint.body, hasBody ? readBody() : {}),
    management,
  );
  const view = toApiKeyView(apiKey, management.now());
  return createdResponse(endpoint.answers[201].body.parse({ ...view, key: text }));
});
