import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/request-body';
import { createTemplateDependencies } from '#shared/templates/template-dependencies';
import { render } from './render-template.ts';
import { requestSchema, responseSchema } from './schema.ts';

const dependencies = createTemplateDependencies(parseEnvironment(tableEnvironment));

export const handler = jsonEndpoint(async ({ body, headers, pathParameters }) => {
  const rendered = await render(
    presentedCredential(headers),
    pathParameters['id'] ?? '',
    () => parseBody(requestSchema, body).variables,
    dependencies,
  );
  return jsonResponse(responseSchema.parse(rendered));
});
