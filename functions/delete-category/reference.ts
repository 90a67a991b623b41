import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'Delete a category',
  description: 'A category that a policy names cannot be deleted.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { key: 'The key of the category.', name: 'Its name, for people.' },
  example: { path: { key: 'offers' } },
  answers: { 204: { description: 'The category is deleted.' } },
  errors: ['category_not_found', 'category_in_use', 'concurrent_change'],
} as const satisfies EndpointReference;
