import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/request-body';
import { etagOf } from '#shared/templates/change-template';
import { createTemplateDependencies } from '#shared/templates/template-dependencies';
import { requestSchema, responseSchema } from './schema.ts';
import { updateTemplate } from './update-template.ts';

const dependencies = createTemplateDependencies(parseEnvironment(tableEnvironment));

export const handler = jsonEndpoint(async ({ body, headers, pathParameters }) => {
  const template = await updateTemplate(
    {
      credential: presentedCredential(headers),
      id: pathParameters['id'] ?? '',
      ifMatch: headers['if-match'],
    },
    () => parseBody(requestSchema, body),
    dependencies,
  );
  return jsonResponse(responseSchema.parse(template), { ETag: etagOf(template) });
});
