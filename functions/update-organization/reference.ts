import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';
import {
  exampleLimits,
  exampleOrganization,
  limitFields,
} from '#shared/organizations/organization-reference';

export const reference = {
  section: 'Operator',
  summary: 'Change or pause an organization',
  description:
    'Changes the fields that the request has. Of `limits` it changes those that are named; `null` makes one the deployment’s again. They count at the next request. A pause counts at the next send, which is refused with `tenant_paused`; tracked links then ask people before they leave. `linksDisabled` switches those links off at once: each answers 404, also in emails that went out before. Unsubscribing goes on working in both cases.',
  access: 'operator_secret',
  fields: {
    ...limitFields,
    limits: 'What the organization may use, in place of the deployment’s limits.',
  },
  example: {
    path: { id: exampleIds.organization },
    body: { limits: { recipientsPerDay: 50_000 } },
  },
  answers: {
    200: {
      description: 'The organization as it is now.',
      example: { ...exampleOrganization, limits: exampleLimits },
    },
  },
  errors: ['organization_not_found', 'concurrent_change'],
} as const satisfies EndpointReference;
