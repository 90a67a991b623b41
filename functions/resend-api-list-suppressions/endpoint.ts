import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { resendListSchema, resendPageFields } from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';
import {
  exampleSuppressions,
  listedSuppressionSchema,
  origins,
  suppressionWords,
} from '#shared/resend/suppressions';

export const endpoint = defineEndpoint({
  ...managementDeclaration,
  route: 'GET /resend/suppressions',
  query: z.strictObject({ ...resendPageFields, origin: z.optional(z.enum(origins)) }),
  answers: {
    200: {
      body: resendListSchema(listedSuppressionSchema),
      description: 'A page of suppressions.',
      example: exampleSuppressions,
    },
  },
  lambda: {
    stack: 'Resend',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Resend',
    summary: 'List suppressions, as with Resend',
    description:
      'Newest first, 20 unless `limit` says otherwise. An address suppressed for two reasons has two. People who unsubscribed aren’t included.',
    fields: { ...suppressionWords, origin: 'Only those of this origin.' },
    example: { query: { origin: 'bounce', limit: '20' } },
  },
});
