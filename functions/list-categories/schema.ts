import { categorySchema } from '#shared/preferences/category';
import { pageSchema } from '#shared/table/list-position';

/** Response 200 of GET /api/v1/categories: all categories, by key. */
export const responseSchema = pageSchema(categorySchema);
