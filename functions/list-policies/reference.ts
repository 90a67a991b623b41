import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'List policies',
  description: 'All of them, those of the organization first.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { key: 'The key of the policy: `policyKey` of a send.' },
  answers: {
    200: {
      description: 'The policies.',
      example: {
        data: [{ kind: 'bulk', categoryKey: 'offers', key: 'offers', builtIn: false }],
        nextCursor: null,
      },
    },
  },
} as const satisfies EndpointReference;
