import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { emailViewWords, exampleListedEmail, listedEmailSchema } from '#shared/resend/email-view';
import { resendList, resendListSchema, resendPageFields } from '#shared/resend/list-page';

export const endpoint = defineEndpoint({
  errorForm: 'resend',
  route: 'GET /resend/emails',
  access: {
    key: 'required',
    scope: ['read_sends', 'manage_organization'],
    takesTestKeys: true,
  },
  query: z.strictObject(resendPageFields),
  answers: {
    200: {
      body: resendListSchema(listedEmailSchema),
      description: 'A page of emails.',
      example: resendList([exampleListedEmail], false),
    },
  },
  lambda: {
    stack: 'Resend',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Resend',
    summary: 'List emails, as with Resend',
    description:
      'The emails of the organization, newest first, 20 unless `limit` says otherwise. One of the last few seconds may be missing.',
    fields: emailViewWords,
    example: { query: { limit: '10' } },
  },
});
