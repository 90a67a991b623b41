import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'Delete a policy',
  description:
    'If it stood in the place of one that comes with the service, that one counts again.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: { key: 'The key of the policy: `policyKey` of a send.' },
  example: { path: { key: 'offers' } },
  answers: { 204: { description: 'The policy is deleted.' } },
  errors: ['policy_not_found', 'policy_in_use', 'concurrent_change'],
} as const satisfies EndpointReference;
