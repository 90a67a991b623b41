import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { resendListSchema, resendPageFields } from '#shared/resend/list-page';
import { templateDeclaration } from '#shared/resend/management';
import {
  exampleResendTemplates,
  listedTemplateSchema,
  resendTemplateWords,
} from '#shared/resend/templates';

export const endpoint = defineEndpoint({
  ...templateDeclaration,
  route: 'GET /resend/templates',
  query: z.strictObject(resendPageFields),
  answers: {
    200: {
      body: resendListSchema(listedTemplateSchema),
      description: 'A page of templates.',
      example: exampleResendTemplates,
    },
  },
  lambda: {
    stack: 'Resend',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Resend',
    summary: 'List templates, as with Resend',
    description: 'Newest first, 20 unless `limit` says otherwise.',
    fields: resendTemplateWords,
    example: { query: { limit: '20' } },
  },
});
