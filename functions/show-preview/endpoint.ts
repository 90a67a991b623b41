import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';
import { templateFields } from '#shared/templates/template-fields';
import { localeSchema } from '#shared/templates/template-locale';
import { variablesSchema } from '#shared/templates/variables';

const readJson = z.transform((text: string, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.issues.push({ code: 'custom', message: 'must be JSON', input: text });
    return z.NEVER;
  }
});

export const endpoint = defineEndpoint({
  route: 'POST /console/preview',
  access: { key: 'required' },
  body: z.strictObject({
    subject: z.optional(templateFields.subject),
    htmlContent: z.optional(templateFields.htmlContent),
    content: z.optional(templateFields.content),
    variables: z.optional(z.pipe(z.pipe(z.string(), readJson), variablesSchema)),
    declaredVariables: z.optional(z.pipe(z.pipe(z.string(), readJson), templateFields.variables)),
    layout: z.optional(templateFields.layout),
    locale: z.optional(localeSchema),
  }),
  accepts: ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'],
  isBodyOptional: true,
  answers: {
    200: {
      body: z.union([
        z.object({
          subject: z.string(),
          html: z.optional(z.string()),
          content: z.string(),
          missingVariables: z.array(z.string()),
        }),
        htmlPage,
      ]),
      description: 'The rendered draft.',
      example: {
        subject: 'Receipt 7',
        html: '<p>Hello Ann</p>',
        content: 'Hello Ann',
        missingVariables: [],
      },
    },
  },
  errors: ['malformed_body', 'too_large', 'validation_failed', 'rendered_too_large'],
  isForPeople: true,
  isBeta: true,
  lambda: { stack: 'Console', tableActions: ['GetItem', 'BatchGetItem'] },
  words: {
    section: 'Console',
    summary: 'Preview a draft of a template',
    description:
      'Renders the draft exactly as a stored template would be sent, and stores nothing. A browser gets the HTML body as a page in which no script runs and no link works, or the text if there is no HTML. A program gets every part as JSON.',
    fields: {
      subject: 'The subject; rendered in the answer.',
      content: 'The text body; rendered in the answer.',
      variables: 'The values of the variables: an object, written as JSON.',
      declaredVariables:
        'What the draft says of its variables, as a template has it, written as JSON. A required one must have a value.',
      layout: 'The ID of the layout to put around the bodies, as it’s published.',
      locale: 'The language of the bodies: the layout’s words are taken in it.',
      html: 'The rendered HTML. Absent if the draft has none.',
    },
    example: {
      body: {
        subject: 'Receipt {{order.id}}',
        htmlContent: '<p>Hello {{name}}</p>',
        variables: '{"order": {"id": 7}}',
        declaredVariables: '{"name": {"type": "string", "fallback": "Ann"}}',
        locale: 'de-AT',
      },
    },
  },
});
