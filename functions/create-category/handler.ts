import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openCategoryManagement } from '#shared/preferences/category-management';
import { openTable } from '#shared/table/table-client';
import { createCategory } from './create-category.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(limitsEnvironment);
const creating = {
  ...openCategoryManagement(openTable(environment.TABLE_NAME)),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = serve(endpoint, creating, createCategory);
