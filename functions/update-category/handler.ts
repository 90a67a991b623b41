import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openCategoryManagement } from '#shared/preferences/category-management';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { updateCategory } from './update-category.ts';

const management = openCategoryManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = jsonEndpoint(async ({ headers, pathParameters, readBody }) => {
  const category = await updateCategory(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).key,
    () => parseBody(endpoint.body, readBody()),
    management,
  );
  return jsonResponse(endpoint.answers[200].body.parse(category));
});
