import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openCategoryStore } from '#shared/preferences/category-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listCategories } from './list-categories.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const stores = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  categories: openCategoryStore(table),
};

export const handler = bodilessEndpoint(async ({ headers }) => {
  const data = await listCategories(presentedCredential(headers), stores);
  return jsonResponse(endpoint.answers[200].body.parse({ data, nextCursor: null }));
});
