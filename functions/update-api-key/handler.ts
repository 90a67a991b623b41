import { toApiKeyView } from '#shared/access/api-key-fields';
import { openApiKeyManagement } from '#shared/access/change-api-key';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { updateApiKey } from './update-api-key.ts';

const management = openApiKeyManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = jsonEndpoint(async ({ readBody, headers, pathParameters }) => {
  const apiKey = await updateApiKey(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).id,
    () => parseBody(endpoint.body, readBody()),
    management,
  );
  return jsonResponse(endpoint.answers[200].body.parse(toApiKeyView(apiKey, management.now())));
});
