import { exampleIdentity, identityReference } from '#shared/identity/identity-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  ...identityReference,
  summary: 'Read the From identity of the organization',
  description:
    'Asks DNS, and SES once in 30 seconds. Without such a request the service asks by itself, less and less often, and a webhook hears `identity.active`.',
  answers: {
    200: { description: 'The identity, and how DNS has its records.', example: exampleIdentity },
  },
  errors: ['identity_not_found', 'provider_throttled'],
} as const satisfies EndpointReference;
