import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { categoryPath } from '#shared/endpoints/resource-paths';
import { categoryName } from '#shared/organizations/organization-fields';
import { categoryWords, exampleCategory } from '#shared/preferences/category-reference';
import { categorySchema } from '#shared/preferences/preferences';

export const endpoint = defineEndpoint({
  route: 'PATCH /api/v1/categories/{key}',
  access: { key: 'required', scope: 'manage_organization' },
  ...categoryPath,
  body: z.strictObject({ name: categoryName }),
  answers: {
    200: {
      body: categorySchema,
      description: 'The category as it is now.',
      example: exampleCategory,
    },
  },
  errors: ['concurrent_change'],
  isLimited: true,
  lambda: { stack: 'Account', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'Organization',
    summary: 'Rename a category',
    description: "The key can't change: preferences are stored under it.",
    fields: categoryWords,
    example: { path: { key: 'offers' }, body: { name: 'Offers' } },
  },
});
