import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { etagOf } from '#shared/templates/change-template';
import { createTemplateDependencies } from '#shared/templates/template-dependencies';
import { getTemplate } from './get-template.ts';
import { responseSchema } from './schema.ts';

const dependencies = createTemplateDependencies(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const id = pathParameters['id'] ?? '';
  const template = await getTemplate(presentedCredential(headers), id, dependencies);
  return jsonResponse(responseSchema.parse(template), { ETag: etagOf(template) });
});
