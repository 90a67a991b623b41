import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { parseParameters, readPath } from '#shared/http/parse-request';
import { openTemplates } from '#shared/templates/templates';
import { deleteTemplate } from './delete-template.ts';
import { headersSchema, pathSchema } from './schema.ts';

const templates = openTemplates(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  await deleteTemplate(
    {
      credential: presentedCredential(headers),
      id: readPath(pathSchema, pathParameters).id,
      ifMatch: parseParameters(headersSchema, headers)['if-match'],
    },
    templates,
  );
  return noContentResponse;
});
