import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';
import { exampleOrganization } from '#shared/organizations/organization-reference';

export const reference = {
  section: 'Operator',
  summary: 'Change or pause an organization',
  description:
    'Changes the fields that the request has. A pause counts at the next send, which is refused with `tenant_paused`; tracked links then ask people before they leave. `linksDisabled` switches those links off at once: each answers 404, also in emails that went out before. Unsubscribing goes on working in both cases.',
  access: 'operator_secret',
  example: { path: { id: exampleIds.organization }, body: { paused: true } },
  answers: {
    200: {
      description: 'The organization as it is now.',
      example: { ...exampleOrganization, paused: true },
    },
  },
  errors: ['organization_not_found', 'concurrent_change'],
} as const satisfies EndpointReference;
