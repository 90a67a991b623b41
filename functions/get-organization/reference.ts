import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';
import {
  exampleLimits,
  exampleOrganization,
  exampleUse,
  limitFields,
} from '#shared/organizations/organization-reference';

export const reference = {
  section: 'Operator',
  summary: 'Read an organization',
  description:
    'As the operator of the deployment sees it, with what it may use and what it uses. Recipients of today follow within about a minute.',
  access: 'operator_secret',
  fields: limitFields,
  example: { path: { id: exampleIds.organization } },
  answers: {
    200: {
      description: 'The organization.',
      example: { ...exampleOrganization, limits: exampleLimits, use: exampleUse },
    },
  },
  errors: ['organization_not_found'],
} as const satisfies EndpointReference;
