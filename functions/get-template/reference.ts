import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Templates',
  summary: 'Read a template',
  description: 'With `ETag`, which a change or a deletion may name in `If-Match`.',
  isBeta: true,
  access: { key: 'required' },
  example: { path: { id: exampleIds.template } },
  answers: {
    200: {
      description: 'The template.',
      headers: ['ETag'],
      example: {
        id: exampleIds.template,
        name: 'receipt',
        subject: 'Receipt {{order.id}}',
        content: 'Hello {{name}}',
        version: 1,
        createdAt: exampleTime,
        updatedAt: exampleTime,
      },
    },
  },
  errors: ['template_not_found'],
} as const satisfies EndpointReference;
