import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openCategoryManagement } from '#shared/preferences/category-management';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { putPolicy } from './put-policy.ts';

const environment = parseEnvironment(limitsEnvironment);
const table = openTable(environment.TABLE_NAME);
const writing = {
  ...openCategoryManagement(table),
  organizations: openOrganizationStore(table),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = serve(endpoint, writing, putPolicy);
