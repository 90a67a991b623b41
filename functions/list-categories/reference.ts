import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'List categories',
  description: 'All of them, by key.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { key: 'The key of the category.', name: 'Its name, for people.' },
  answers: {
    200: {
      description: 'The categories.',
      example: { data: [{ key: 'offers', name: 'Offers' }], nextCursor: null },
    },
  },
} as const satisfies EndpointReference;
