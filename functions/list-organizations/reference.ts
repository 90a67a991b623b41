import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleOrganization } from '#shared/organizations/organization-reference';

export const reference = {
  section: 'Operator',
  summary: 'List organizations',
  description: 'Newest first.',
  access: 'operator_secret',
  example: { query: { limit: '20' } },
  answers: {
    200: {
      description: 'A page of organizations.',
      example: {
        data: [exampleOrganization],
        nextCursor: null,
      },
    },
  },
} as const satisfies EndpointReference;
