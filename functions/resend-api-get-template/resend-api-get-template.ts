import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templateDeclaration } from '#shared/resend/management';
import { openNamedTemplates, templateIdOf } from '#shared/resend/named-templates';
import {
  exampleResendTemplate,
  namedTemplatePath,
  resendTemplateViewSchema,
  resendTemplateWords,
  toResendTemplate,
} from '#shared/resend/templates';
import { findTemplate } from '#shared/templates/templates';

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
    uses: openNamedTemplates,
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'BatchGetItem'] },
    words: {
      section: 'Resend',
      summary: 'Read a template, as with Resend',
      description: 'By its ID or its alias. Answers the newest content, which may be a draft.',
      fields: resendTemplateWords,
      example: { path: { id: 'receipt' } },
    },
  },
  async ({ caller: { organizationId }, path }, reading) => {
    const id = await templateIdOf(path.id, organizationId, reading);
    return toResendTemplate(await findTemplate(id, organizationId, reading.templates));
  },
);
