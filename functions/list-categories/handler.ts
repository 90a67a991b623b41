import { serve } from '#shared/endpoints/serve';
import { openCategoryStore } from '#shared/preferences/category-store';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { categories: openCategoryStore },
  async ({ caller }, { categories }) => ({
    data: await categories.list(caller.organizationId),
    nextCursor: null,
  }),
);
