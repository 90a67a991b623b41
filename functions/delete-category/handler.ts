import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { openCategoryManagement } from '#shared/preferences/category-management';
import { openTable } from '#shared/table/table-client';
import { deleteCategory } from './delete-category.ts';
import { endpoint } from './endpoint.ts';

const management = openCategoryManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { key } = readPath(endpoint.path, pathParameters);
  await deleteCategory(presentedCredential(headers), key, management);
  return noContentResponse;
});
