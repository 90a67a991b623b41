import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Reference',
  summary: 'Show the reference as a page',
  description: 'The OpenAPI description for people: one page without script.',
  access: 'anybody',
  answers: {
    200: { description: 'The page.', headers: ['ETag'] },
    304: { description: 'It is the one that you have.', headers: ['ETag'] },
  },
} as const satisfies EndpointReference;
