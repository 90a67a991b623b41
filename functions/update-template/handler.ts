import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, parseParameters, readPath } from '#shared/http/parse-request';
import { etagOf } from '#shared/templates/change-template';
import { openTemplates } from '#shared/templates/templates';
import { headersSchema, pathSchema, requestSchema, responseSchema } from './schema.ts';
import { updateTemplate } from './update-template.ts';

const templates = openTemplates(parseEnvironment(tableEnvironment));

export const handler = jsonEndpoint(async ({ readBody, headers, pathParameters }) => {
  const template = await updateTemplate(
    {
      credential: presentedCredential(headers),
      id: readPath(pathSchema, pathParameters).id,
      ifMatch: parseParameters(headersSchema, headers)['if-match'],
    },
    () => parseBody(requestSchema, readBody()),
    templates,
  );
  return jsonResponse(responseSchema.parse(template), { ETag: etagOf(template) });
});
