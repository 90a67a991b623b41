import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseQuery } from '#shared/http/request-query';
import { toCursor } from '#shared/table/list-position';
import { createTemplateDependencies } from '#shared/templates/template-dependencies';
import { listTemplates } from './list-templates.ts';
import { querySchema, responseSchema } from './schema.ts';

const dependencies = createTemplateDependencies(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { templates, next } = await listTemplates(
    presentedCredential(headers),
    () => parseQuery(querySchema, query),
    dependencies,
  );
  const nextCursor = next === undefined ? null : toCursor(next);
  return jsonResponse(responseSchema.parse({ data: templates, nextCursor }));
});
