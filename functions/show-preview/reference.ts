import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Console',
  summary: 'Preview a draft of a template',
  description:
    'Renders what was typed, by the rules by which a stored template is rendered and sent. Nothing is stored. A browser gets the HTML body as a page in which nothing runs and no link leads anywhere; without an HTML body it is the text. A program gets all parts.',
  isBeta: true,
  access: { key: 'required' },
  isForPeople: true,
  isBodyOptional: true,
  accepts: ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'],
  fields: {
    subject: 'The subject; of the answer, the rendered one.',
    content: 'The text body; of the answer, the rendered one.',
    variables: 'The values of its variables: an object, written as JSON.',
    html: 'The rendered HTML. Absent if the draft has none.',
  },
  example: {
    body: {
      subject: 'Receipt {{order.id}}',
      htmlContent: '<p>Hello {{name}}</p>',
      variables: '{"name": "Ann", "order": {"id": 7}}',
    },
  },
  answers: {
    200: {
      description: 'The rendered draft.',
      example: {
        subject: 'Receipt 7',
        html: '<p>Hello Ann</p>',
        content: 'Hello Ann',
        missingVariables: [],
      },
    },
  },
  errors: ['malformed_body', 'validation_failed', 'rendered_too_large'],
} as const satisfies EndpointReference;
