import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleSettings } from '#shared/organizations/organization-reference';

export const reference = {
  section: 'Organization',
  summary: 'Read the settings of the organization',
  description: 'A setting that it does not have is absent.',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      description: 'The settings.',
      example: exampleSettings,
    },
  },
} as const satisfies EndpointReference;
