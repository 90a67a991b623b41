import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'Create or replace a policy',
  description: 'A policy of your own may stand in the place of `transactional` or `bulk`.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { key: 'The key of the policy: `policyKey` of a send.' },
  example: { path: { key: 'offers' }, body: { kind: 'bulk', categoryKey: 'offers' } },
  answers: {
    200: {
      description: 'The policy as it is now.',
      example: { kind: 'bulk', categoryKey: 'offers', key: 'offers', builtIn: false },
    },
  },
  errors: ['too_many_policies', 'concurrent_change'],
} as const satisfies EndpointReference;
