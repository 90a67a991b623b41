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
  isBeta: true,
  lambda: { stack: 'Templates', tableActions: ['GetItem', 'PutItem'], queriesIndexes: ['gsi2'] },
  words: {
    section: 'Templates',
    summary: 'Create a template',
    description:
      'The language is Mustache without partials and without other delimiters: `{{order.id}}`, sections, `{{{unescaped}}}`. Mistakes in the syntax are refused, with line and column. A template has one body at least. Without a text body it gets the text of its HTML.',
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

export type CreateTemplateRequest = z.infer<typeof endpoint.body>;
