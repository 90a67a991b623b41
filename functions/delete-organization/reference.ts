import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'Operator',
  summary: 'Delete an organization',
  description:
    'Asks for the name, so that nobody deletes another than they mean. From the next request on its keys are refused, its links show nothing, and its sends cannot be read. What it left expires with its retention. Repeating it is safe.',
  access: 'operator_secret',
  fields: { name: 'The name of the organization.' },
  example: { path: { id: exampleIds.organization }, query: { name: 'Example Ltd' } },
  answers: { 204: { description: 'The organization is deleted.' } },
  errors: ['validation_failed', 'organization_not_found', 'concurrent_change'],
} as const satisfies EndpointReference;
