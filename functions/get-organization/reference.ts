import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';
import { exampleOrganization } from '#shared/organizations/organization-reference';

export const reference = {
  section: 'Operator',
  summary: 'Read an organization',
  description: 'As the operator of the deployment sees it.',
  access: 'operator_secret',
  example: { path: { id: exampleIds.organization } },
  answers: {
    200: {
      description: 'The organization.',
      example: exampleOrganization,
    },
  },
  errors: ['organization_not_found'],
} as const satisfies EndpointReference;
