import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Organization',
  summary: 'Delete the From identity of the organization',
  description: 'Sends are refused from then on, and others may take the domain.',
  access: { key: 'required', scope: 'manage_organization' },
  answers: { 204: { description: 'The identity is deleted.' } },
  errors: ['identity_not_found', 'concurrent_change'],
} as const satisfies EndpointReference;
