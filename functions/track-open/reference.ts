import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Links in emails',
  summary: 'Load the open pixel',
  description:
    'Records the open. `HEAD` answers the same and records nothing. Nor is anything recorded when the organization was deleted or its links are switched off.',
  access: 'anybody',
  isForPeople: true,
  fields: { token: 'The signed token of the pixel.' },
  example: { path: { token: 'v1.k1.…' } },
  answers: { 200: { description: 'A transparent picture of one pixel.' } },
  errors: ['link_not_found'],
} as const satisfies EndpointReference;
