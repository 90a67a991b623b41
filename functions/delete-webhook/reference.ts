import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'It gets nothing more: what was pending for it fails.',
  access: { key: 'required', scope: 'manage_organization' },
  example: { path: { id: exampleIds.webhook } },
  answers: { 204: { description: 'The webhook endpoint is deleted.' } },
  errors: ['webhook_not_found'],
} as const satisfies EndpointReference;
