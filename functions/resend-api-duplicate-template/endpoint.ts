import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templateDeclaration } from '#shared/resend/management';
import {
  exampleTemplateResult,
  namedTemplatePath,
  resendTemplateWords,
  templateResultSchema,
} from '#shared/resend/templates';

export const endpoint = defineEndpoint({
  ...templateDeclaration,
  route: 'POST /resend/templates/{id}/duplicate',
  ...namedTemplatePath,
  answers: {
    200: {
      body: templateResultSchema,
      description: 'The copy, a draft.',
      example: exampleTemplateResult,
    },
  },
  errors: ['template_name_taken', 'too_many_templates', 'concurrent_change'],
  isLimited: true,
  lambda: {
    stack: 'Resend',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Resend',
    summary: 'Duplicate a template, as with Resend',
    description:
      'By its ID or its alias. The copy has a name of its own, such as `receipt (copy)`, and no alias.',
    fields: resendTemplateWords,
    example: { path: { id: 'receipt' } },
  },
});
