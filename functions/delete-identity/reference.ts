import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'Delete the From identity of the organization',
  description:
    'Sends are refused from then on. Another organization may prove that the domain is its own.',
  access: { key: 'required', scope: 'manage_organization' },
  answers: { 204: { description: 'The identity is deleted.' } },
  errors: ['identity_not_found', 'rate_limited', 'concurrent_change'],
} as const satisfies EndpointReference;
