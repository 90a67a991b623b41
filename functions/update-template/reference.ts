import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Templates',
  summary: 'Change a template',
  description:
    'Changes the fields that the request has. `null` takes a body away; one must be left. With `If-Match` the change is refused if the template has another version.',
  isBeta: true,
  access: { key: 'required', scope: 'templates_manage' },
  example: {
    path: { id: exampleIds.template },
    headers: { 'if-match': '"1"' },
    body: { subject: 'Your receipt {{order.id}}' },
  },
  answers: {
    200: {
      description: 'The template as it is now.',
      headers: ['ETag'],
      example: {
        id: exampleIds.template,
        name: 'receipt',
        subject: 'Your receipt {{order.id}}',
        content: 'Hello {{name}}',
        version: 2,
        createdAt: exampleTime,
        updatedAt: exampleTime + 60_000,
      },
    },
  },
  errors: ['template_not_found', 'template_name_taken', 'concurrent_change', 'version_mismatch'],
} as const satisfies EndpointReference;
