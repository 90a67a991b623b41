import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { etagOf } from '#shared/templates/change-template';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';
import { getTemplate } from './get-template.ts';

const templates = openTemplates(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { id } = readPath(endpoint.path, pathParameters);
  const template = await getTemplate(presentedCredential(headers), id, templates);
  return jsonResponse(endpoint.answers[200].body.parse(template), { ETag: etagOf(template) });
});
