import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { etagOf } from '#shared/templates/change-template';
import { templateSchema } from '#shared/templates/template';
import { openTemplates } from '#shared/templates/templates';
import { getTemplate } from './get-template.ts';

const templates = openTemplates(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const id = pathParameters['id'] ?? '';
  const template = await getTemplate(presentedCredential(headers), id, templates);
  return jsonResponse(templateSchema.parse(template), { ETag: etagOf(template) });
});
