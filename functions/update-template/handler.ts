import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, parseParameters, readPath } from '#shared/http/parse-request';
import { etagOf } from '#shared/templates/change-template';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';
import { updateTemplate } from './update-template.ts';

const templates = openTemplates(parseEnvironment(tableEnvironment));

export const handler = jsonEndpoint(async ({ readBody, headers, pathParameters }) => {
  const template = await updateTemplate(
    {
      credential: presentedCredential(headers),
      id: readPath(endpoint.path, pathParameters).id,
      ifMatch: parseParameters(endpoint.headers, headers)['if-match'],
    },
    () => parseBody(endpoint.body, readBody()),
    templates,
  );
  return jsonResponse(endpoint.answers[200].body.parse(template), { ETag: etagOf(template) });
});
