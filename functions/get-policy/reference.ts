import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'Read a policy',
  description: 'A policy of the organization, or one that comes with the service.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { key: 'The key of the policy: `policyKey` of a send.' },
  example: { path: { key: 'offers' } },
  answers: {
    200: {
      description: 'The policy.',
      example: { kind: 'bulk', categoryKey: 'offers', key: 'offers', builtIn: false },
    },
  },
  errors: ['policy_not_found'],
} as const satisfies EndpointReference;
