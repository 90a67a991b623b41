import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'Rename a category',
  description: 'The key stays: preferences are stored under it.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { key: 'The key of the category.', name: 'Its name, for people.' },
  example: { path: { key: 'offers' }, body: { name: 'Offers' } },
  answers: {
    200: { description: 'The category as it is now.', example: { key: 'offers', name: 'Offers' } },
  },
  errors: ['category_not_found', 'concurrent_change'],
} as const satisfies EndpointReference;
