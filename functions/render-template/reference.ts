import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'Templates',
  summary: 'Render a template',
  description:
    'Answers what a send takes as `subject`, `htmlContent` and `content`. Values are escaped in the HTML. An object prints as JSON. A variable that is missing prints as nothing.',
  isBeta: true,
  access: { key: 'required' },
  fields: {
    content: 'The rendered text.',
    subject: 'The rendered subject.',
    html: 'The rendered HTML. Absent if the template has none.',
  },
  example: {
    path: { id: exampleIds.template },
    body: { variables: { name: 'Ann', order: { id: 7 } } },
  },
  answers: {
    200: {
      description: 'The rendered parts.',
      example: {
        subject: 'Receipt 7',
        html: '<p>Hello Ann</p>',
        content: 'Hello Ann',
        missingVariables: [],
      },
    },
  },
  errors: ['template_not_found', 'rendered_too_large'],
} as const satisfies EndpointReference;
