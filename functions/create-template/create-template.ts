import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { acrossFields } from '#shared/errors/field-error';
import { addTemplate } from '#shared/templates/add-template';
import { templateFields } from '#shared/templates/template-fields';
import { exampleTemplate, templateWords } from '#shared/templates/template-reference';
import { answerOf, templateViewSchema } from '#shared/templates/template-view';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/templates',
    access: { key: 'required', scope: 'templates_manage', freshSession: ['replyTo'] },
    body: z
      .strictObject({
        name: templateFields.name,
        alias: z.exactOptional(templateFields.alias),
        kind: z.exactOptional(z.literal('layout')),
        subject: z.exactOptional(templateFields.subject),
        htmlContent: z.exactOptional(templateFields.htmlContent),
        content: z.exactOptional(templateFields.content),
        from: z.exactOptional(templateFields.from),
        replyTo: z.exactOptional(templateFields.replyTo),
        variables: z.exactOptional(templateFields.variables),
        layout: z.exactOptional(templateFields.layout),
        locales: z.exactOptional(templateFields.locales),
        draft: z._default(z.boolean(), false),
      })
      .check(
        z.refine(({ kind, subject }) => kind === 'layout' || Boolean(subject), {
          path: ['subject'],
          error: 'is required',
          ...acrossFields,
        }),
        z.refine(({ htmlContent, content }) => htmlContent !== undefined || content !== undefined, {
          path: ['htmlContent'],
          error: 'give htmlContent, content, or both',
          ...acrossFields,
        }),
      ),
    answers: {
      201: {
        body: templateViewSchema,
        description: 'The new template.',
        headers: ['ETag'],
        example: { ...exampleTemplate, htmlContent: '<p>Hello {{name}}</p>' },
      },
    },
    errors: ['template_name_taken', 'template_alias_taken', 'too_many_templates'],
    isBeta: true,
    isLimited: true,
    lambda: {
      stack: 'Templates',
      tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Templates',
      summary: 'Create a template',
      description:
        'Templates are Mustache without partials and custom delimiters: `{{order.id}}`, sections, `{{{unescaped}}}`. A syntax error is refused with its line and column. Give at least one body. Without a text body, emails get the text of the HTML. It can be sent at once, unless `draft` is true. A template of `kind` `layout` has `{{{content}}}` once in each body, and templates name it as their `layout`.',
      fields: templateWords,
      example: {
        body: {
          name: 'receipt',
          subject: 'Receipt {{order.id}}',
          htmlContent: '<p>Hello {{name}}</p>',
          content: 'Hello {{name}}',
        },
      },
    },
  },
  async ({ caller, body: { subject = '', ...fields } }, service) =>
    answerOf(await addTemplate(caller, { ...fields, subject }, service)),
);
