import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';
import { renderTemplate } from './render-template.ts';

const templates = openTemplates(parseEnvironment(tableEnvironment));

export const handler = jsonEndpoint(async ({ readBody, headers, pathParameters }) => {
  const rendered = await renderTemplate(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).id,
    () => parseBody(endpoint.body, readBody()).variables,
    templates,
  );
  return jsonResponse(endpoint.answers[200].body.parse(rendered));
});
