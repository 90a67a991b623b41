import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { parseParameters, readPath } from '#shared/http/parse-request';
import { openTemplates } from '#shared/templates/templates';
import { deleteTemplate } from './delete-template.ts';
import { endpoint } from './endpoint.ts';

const templates = openTemplates(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  await deleteTemplate(
    {
      credential: presentedCredential(headers),
      id: readPath(endpoint.path, pathParameters).id,
      ifMatch: parseParameters(endpoint.headers, headers)['if-match'],
    },
    templates,
  );
  return noContentResponse;
});
