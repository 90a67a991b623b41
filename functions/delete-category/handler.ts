import { serve } from '#shared/endpoints/serve';
import { openCategoryStore } from '#shared/preferences/category-store';
import { deleteCategory } from './delete-category.ts';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, { categories: openCategoryStore }, deleteCategory);
