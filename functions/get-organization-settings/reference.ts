import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Organization',
  summary: 'Read the settings of the organization',
  description: 'A setting that it does not have is absent.',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      description: 'The settings.',
      example: {
        id: exampleIds.organization,
        name: 'Example Ltd',
        paused: false,
        attachmentsEnabled: false,
        senderName: 'Example Ltd',
        replyTo: 'help@example.com',
        createdAt: exampleTime,
        updatedAt: exampleTime,
      },
    },
  },
} as const satisfies EndpointReference;
