import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openCategoryManagement } from '#shared/preferences/category-management';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { updateCategory } from './update-category.ts';

const management = openCategoryManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serve(endpoint, management, updateCategory);
