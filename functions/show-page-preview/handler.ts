import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { readPath } from '#shared/http/parse-request';
import { previewResponse } from '#shared/http/preview-response';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openCategoryStore } from '#shared/preferences/category-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { showPagePreview } from './show-page-preview.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const stores = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  organizations: openOrganizationStore(table),
  categories: openCategoryStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { page } = readPath(endpoint.path, pathParameters);
  return previewResponse(200, await showPagePreview(presentedCredential(headers), page, stores));
});
