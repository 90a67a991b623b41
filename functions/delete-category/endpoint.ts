import { defineEndpoint } from '#shared/endpoints/endpoint';
import { categoryPath } from '#shared/endpoints/resource-paths';
import { categoryWords } from '#shared/preferences/category-reference';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/categories/{key}',
  access: { key: 'required', scope: 'manage_organization' },
  ...categoryPath,
  answers: { 204: { description: 'The category is deleted.' } },
  errors: ['category_in_use', 'concurrent_change'],
  isLimited: true,
  lambda: {
    stack: 'Account',
    tableActions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'DeleteItem'],
  },
  words: {
    section: 'Organization',
    summary: 'Delete a category',
    description: "A category that a policy uses can't be deleted.",
    fields: categoryWords,
    example: { path: { key: 'offers' } },
  },
});
