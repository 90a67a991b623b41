import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openCategoryStore } from '#shared/preferences/category-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  categories: openCategoryStore(table),
};

export const handler = serve(endpoint, reading, async ({ caller }, { categories }) => ({
  data: await categories.list(caller.organizationId),
  nextCursor: null,
}));
