import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templateDeclaration } from '#shared/resend/management';
import {
  exampleResendTemplate,
  namedTemplatePath,
  resendTemplateViewSchema,
  resendTemplateWords,
  toResendTemplate,
} from '#shared/resend/templates';
import { findTemplate, findTemplateId } from '#shared/templates/find-template';

export const endpoint = defineEndpoint(
  {
    ...templateDeclaration,
    route: 'GET /resend/templates/{id}',
    ...namedTemplatePath,
    answers: {
      200: {
        body: resendTemplateViewSchema,
        description: 'The template.',
        example: exampleResendTemplate,
      },
    },
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'BatchGetItem'] },
    words: {
      section: 'Resend',
      summary: 'Read a template, as with Resend',
      description: 'By its ID or its alias. Answers the newest content, which may be a draft.',
      fields: resendTemplateWords,
      example: { path: { id: 'receipt' } },
    },
  },
  async ({ caller: { organizationId }, path }, { table }) => {
    const id = await findTemplateId(table, organizationId, path.id);
    return toResendTemplate(await findTemplate(table, organizationId, id));
  },
);
