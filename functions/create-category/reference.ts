import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'Create a category',
  description:
    'What people can subscribe to and unsubscribe from. Who unsubscribed from a category stays so when a new one gets its key.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { key: 'The key of the category.', name: 'Its name, for people.' },
  example: { body: { key: 'offers', name: 'Offers' } },
  answers: { 201: { description: 'The category.', example: { key: 'offers', name: 'Offers' } } },
  errors: ['category_key_taken', 'too_many_categories'],
} as const satisfies EndpointReference;
