import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { acrossFields } from '#shared/errors/across-fields';
import { templateSchema } from '#shared/templates/template';
import { templateFields } from '#shared/templates/template-fields';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/templates',
  access: { key: 'required', scope: 'templates_manage' },
  body: z
    .strictObject({
      name: templateFields.name,
      subject: templateFields.subject,
      htmlContent: z.exactOptional(templateFields.htmlContent),
      content: z.exactOptional(templateFields.content),
    })
    .check(
      z.refine(({ htmlContent, content }) => htmlContent !== undefined || content !== undefined, {
        path: ['htmlContent'],
        error: 'give htmlContent, content, or both',
        ...acrossFields,
      }),
    ),
  answers: {
    201: {
      body: templateSchema,
      description: 'The new template.',
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
  isBeta: true,
  isLimited: true,
  lambda: { stack: 'Templates', tableActions: ['GetItem', 'PutItem'], queriesIndexes: ['gsi2'] },
  words: {
    section: 'Templates',
    summary: 'Create a template',
    description:
      'Templates are Mustache without partials and custom delimiters: `{{order.id}}`, sections, `{{{unescaped}}}`. A syntax error is refused with its line and column. Give at least one body. Without a text body, emails get the text of the HTML.',
    example: {
      body: {
        name: 'receipt',
        subject: 'Receipt {{order.id}}',
        htmlContent: '<p>Hello {{name}}</p>',
        content: 'Hello {{name}}',
      },
    },
  },
});
