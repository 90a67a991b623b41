import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Operator',
  summary: 'Read an organization',
  description: 'As the operator of the deployment sees it.',
  access: 'operator_secret',
  example: { path: { id: exampleIds.organization } },
  answers: {
    200: {
      description: 'The organization.',
      example: {
        id: exampleIds.organization,
        name: 'Example Ltd',
        paused: false,
        attachmentsEnabled: false,
        createdAt: exampleTime,
        updatedAt: exampleTime,
      },
    },
  },
  errors: ['organization_not_found'],
} as const satisfies EndpointReference;
