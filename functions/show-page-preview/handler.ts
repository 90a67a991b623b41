import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { WithHeaders } from '#shared/endpoints/answer';
import { serve } from '#shared/endpoints/serve';
import { previewHeaders } from '#shared/http/page-response';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openCategoryStore } from '#shared/preferences/category-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { showPagePreview } from './show-page-preview.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const stores = {
  ...openAuthentication(table),
  organizations: openOrganizationStore(table),
  categories: openCategoryStore(table),
};

export const handler = serve(
  endpoint,
  stores,
  async (request) => new WithHeaders(await showPagePreview(request, stores), previewHeaders),
);
