import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deletedSchema, templateDeclaration } from '#shared/resend/management';
import {
  exampleTemplateResult,
  resendTemplateWords,
  templateNameSchema,
} from '#shared/resend/templates';

export const endpoint = defineEndpoint({
  ...templateDeclaration,
  route: 'DELETE /resend/templates/{id}',
  path: z.object({ id: templateNameSchema }),
  unmatchedPath: 'template_not_found',
  answers: {
    200: {
      body: deletedSchema('template'),
      description: 'The template is deleted.',
      example: { ...exampleTemplateResult, deleted: true },
    },
  },
  errors: ['template_not_found', 'layout_in_use', 'concurrent_change'],
  isLimited: true,
  lambda: {
    stack: 'Resend',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  words: {
    section: 'Resend',
    summary: 'Delete a template, as with Resend',
    description: 'By its id or its alias. Its name and alias become free.',
    fields: resendTemplateWords,
    example: { path: { id: 'receipt' } },
  },
});
