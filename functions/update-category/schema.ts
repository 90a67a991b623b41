import * as z from 'zod/mini';
import { categoryName } from '#shared/organizations/organization-fields';
import { categorySchema } from '#shared/preferences/category';

/** Path of PATCH /api/v1/categories/{key}. */
export const pathSchema = z.object({ key: z.string() });

/** Body of it. The key stays: preferences are stored under it. */
export const requestSchema = z.strictObject({ name: categoryName });
export type UpdateCategoryRequest = z.infer<typeof requestSchema>;

/** Response 200: the category as it is now. */
export const responseSchema = categorySchema;
