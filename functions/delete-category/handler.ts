import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openCategoryManagement } from '#shared/preferences/category-management';
import { openTable } from '#shared/table/table-client';
import { deleteCategory } from './delete-category.ts';
import { endpoint } from './endpoint.ts';

const management = openCategoryManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serve(endpoint, management, deleteCategory);
