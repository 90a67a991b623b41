import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templateDeclaration } from '#shared/resend/management';
import {
  exampleTemplateResult,
  resendTemplateSchema,
  resendTemplateWords,
  templateResult,
  templateResultSchema,
  toTemplateFields,
} from '#shared/resend/templates';
import { addTemplate } from '#shared/templates/add-template';

export const endpoint = defineEndpoint(
  {
    ...templateDeclaration,
    access: { ...templateDeclaration.access, freshSession: ['reply_to'] },
    route: 'POST /resend/templates',
    body: resendTemplateSchema,
    answers: {
      201: {
        body: templateResultSchema,
        description: 'The new template, a draft.',
        example: exampleTemplateResult,
      },
    },
    errors: ['template_name_taken', 'template_alias_taken', 'too_many_templates'],
    isLimited: true,
    lambda: {
      stack: 'Resend',
      tableActions: ['GetItem', 'PutItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Resend',
      summary: 'Create a template, as with Resend',
      description:
        'Does what `POST /api/v1/templates` does, as a draft: sends can take it once it is published.',
      fields: resendTemplateWords,
      example: {
        body: {
          name: 'receipt',
          alias: 'receipt',
          subject: 'Receipt',
          html: '<p>Hello {{{name}}}</p>',
        },
      },
    },
  },
  async ({ caller, body }, service) => {
    const fields = { ...toTemplateFields(body), draft: true };
    return templateResult(await addTemplate(caller, fields, service, { mayLackSubject: true }));
  },
);
