import { serve } from '#shared/endpoints/serve';
import { openCategoryStore } from '#shared/preferences/category-store';
import { endpoint } from './endpoint.ts';
import { updateCategory } from './update-category.ts';

export const handler = serve(endpoint, { categories: openCategoryStore }, updateCategory);
