import * as z from 'zod/mini';
import { categorySchema } from '#shared/contacts/category';
import { categoryName, resourceKey } from '#shared/organizations/organization-fields';

/** Body of POST /api/v1/categories. */
export const requestSchema = z.strictObject({ key: resourceKey, name: categoryName });
export type CreateCategoryRequest = z.infer<typeof requestSchema>;

/** Response 201. */
export const responseSchema = categorySchema;
