import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleSettings } from '#shared/organizations/organization-reference';

export const reference = {
  section: 'Organization',
  summary: 'Change the settings of the organization',
  description:
    'Changes the fields that the request has. `null` takes a field away; `name` and `keylessReading` stay. A change counts at the next send.',
  access: { key: 'required', scope: 'manage_organization' },
  example: { body: { senderName: 'Example Ltd', replyTo: 'help@example.com' } },
  answers: {
    200: {
      description: 'The settings as they are now.',
      example: exampleSettings,
    },
  },
  errors: ['concurrent_change'],
} as const satisfies EndpointReference;
