import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { categoryName, resourceKey } from '#shared/organizations/organization-fields';
import { categoryWords, exampleCategory } from '#shared/preferences/category-reference';
import { categorySchema } from '#shared/preferences/preferences';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/categories',
  access: { key: 'required', scope: 'manage_organization' },
  body: z.strictObject({ key: resourceKey, name: categoryName }),
  answers: {
    201: {
      body: categorySchema,
      description: 'The category.',
      example: exampleCategory,
    },
  },
  errors: ['category_key_taken', 'too_many_categories'],
  isLimited: true,
  lambda: { stack: 'Account', tableActions: ['GetItem', 'Query', 'ConditionCheckItem', 'PutItem'] },
  words: {
    section: 'Organization',
    summary: 'Create a category',
    description:
      'A topic that people can subscribe to and unsubscribe from. Everyone is subscribed at first, except those who unsubscribed from an earlier category with the same key.',
    fields: categoryWords,
    example: { body: exampleCategory },
  },
});
