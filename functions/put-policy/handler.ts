import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openCategoryStore } from '#shared/preferences/category-store';
import { endpoint } from './endpoint.ts';
import { putPolicy } from './put-policy.ts';

export const handler = serve(
  endpoint,
  { categories: openCategoryStore, organizations: openOrganizationStore },
  putPolicy,
);
