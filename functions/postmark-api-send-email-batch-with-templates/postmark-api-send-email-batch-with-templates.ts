import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  batchForms,
  postmarkTemplateEmailSchema,
  readPostmarkBatch,
} from '#shared/postmark/email-request';
import { postmarkEmailWords } from '#shared/postmark/email-words';
import { answerPostmarkBatch, postmarkBatchDeclaration } from '#shared/postmark/send-endpoint';
import { batchHeadersSchema, emailListOf, maxEmails } from '#shared/sending/batch/batch-request';
import { openSending } from '#shared/sending/sending';

export const endpoint = defineEndpoint(
  {
    ...postmarkBatchDeclaration,
    route: 'POST /postmark/email/batchWithTemplates',
    headers: batchHeadersSchema,
    body: z.strictObject({ Messages: emailListOf(postmarkTemplateEmailSchema) }),
    admitsInOperation: true,
    uses: openSending,
    words: {
      ...postmarkEmailWords,
      summary: `Send up to ${maxEmails} emails from templates, as with Postmark`,
      description:
        'Takes what Postmark’s `POST /email/batchWithTemplates` takes, and sends it as `POST /api/v1/emails/batch` does.',
      example: {
        body: {
          Messages: [
            {
              From: 'Northwind <hello@northwind.example>',
              To: 'ann@example.com',
              TemplateAlias: 'welcome',
              TemplateModel: { name: 'Ann' },
            },
            {
              From: 'Northwind <hello@northwind.example>',
              To: 'bob',
              TemplateAlias: 'welcome',
              TemplateModel: { name: 'Bob' },
            },
          ],
        },
      },
    },
  },
  (unadmitted, capability) => {
    const { readBody, headers } = unadmitted;
    const key = headers['idempotency-key'];
    const batch = readPostmarkBatch(batchForms.withTemplates, readBody(), key);
    return answerPostmarkBatch(batch, unadmitted, capability);
  },
);
