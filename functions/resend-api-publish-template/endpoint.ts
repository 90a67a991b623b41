import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templateDeclaration } from '#shared/resend/management';
import {
  exampleTemplateResult,
  resendTemplateWords,
  templateNameSchema,
  templateResultSchema,
} from '#shared/resend/templates';

export const endpoint = defineEndpoint({
  ...templateDeclaration,
  route: 'POST /resend/templates/{id}/publish',
  path: z.object({ id: templateNameSchema }),
  unmatchedPath: 'template_not_found',
  answers: {
    200: {
      body: templateResultSchema,
      description: 'Sends take its newest content.',
      example: exampleTemplateResult,
    },
  },
  errors: ['template_not_found', 'concurrent_change'],
  isLimited: true,
  lambda: {
    stack: 'Resend',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  words: {
    section: 'Resend',
    summary: 'Publish a template, as with Resend',
    description: 'By its id or its alias. Without a draft, nothing changes.',
    fields: resendTemplateWords,
    example: { path: { id: 'receipt' } },
  },
});
