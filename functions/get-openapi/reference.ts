import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Reference',
  summary: 'Read the OpenAPI description',
  description: 'Describes every endpoint and every webhook message as OpenAPI 3.1.',
  access: 'anybody',
  fields: { openapi: 'The version of OpenAPI.' },
  answers: {
    200: {
      description: 'The description.',
      example: { openapi: '3.1.1' },
      headers: ['ETag'],
    },
    304: { description: 'It is the one that you have.', headers: ['ETag'] },
  },
} as const satisfies EndpointReference;
