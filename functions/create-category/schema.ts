import * as z from 'zod/mini';
import { categoryName, resourceKey } from '#shared/organizations/organization-fields';
import { categorySchema } from '#shared/preferences/category';

/** Body of POST /api/v1/categories. */
export const requestSchema = z.strictObject({ key: resourceKey, name: categoryName });
export type CreateCategoryRequest = z.infer<typeof requestSchema>;

/** Response 201. */
export const responseSchema = categorySchema;
