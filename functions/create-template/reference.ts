import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Templates',
  summary: 'Create a template',
  description:
    'The language is Mustache without partials and without other delimiters: `{{order.id}}`, sections, `{{{unescaped}}}`. Mistakes in the syntax are refused, with line and column. A template has one body at least. Without a text body it gets the text of its HTML.',
  isBeta: true,
  access: { key: 'required', scope: 'templates_manage' },
  example: {
    body: {
      name: 'receipt',
      subject: 'Receipt {{order.id}}',
      htmlContent: '<p>Hello {{name}}</p>',
      content: 'Hello {{name}}',
    },
  },
  answers: {
    201: {
      description: 'The template.',
      headers: ['ETag'],
      example: {
        id: exampleIds.template,
        name: 'receipt',
        subject: 'Receipt {{order.id}}',
        htmlContent: '<p>Hello {{name}}</p>',
        content: 'Hello {{name}}',
        version: 1,
        createdAt: exampleTime,
        updatedAt: exampleTime,
      },
    },
  },
  errors: ['template_name_taken', 'too_many_templates'],
} as const satisfies EndpointReference;
