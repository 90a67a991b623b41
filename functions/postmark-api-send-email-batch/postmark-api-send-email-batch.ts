import { defineEndpoint } from '#shared/endpoints/endpoint';
import { batchForms, postmarkEmailSchema, readPostmarkBatch } from '#shared/postmark/email-request';
import { postmarkEmailWords } from '#shared/postmark/email-words';
import { answerPostmarkBatch, postmarkBatchDeclaration } from '#shared/postmark/send-endpoint';
import { batchHeadersSchema, emailListOf, maxEmails } from '#shared/sending/batch/batch-request';
import { openSending } from '#shared/sending/sending';

export const endpoint = defineEndpoint(
  {
    ...postmarkBatchDeclaration,
    route: 'POST /postmark/email/batch',
    headers: batchHeadersSchema,
    body: emailListOf(postmarkEmailSchema),
    admitsInOperation: true,
    uses: openSending,
    words: {
      ...postmarkEmailWords,
      summary: `Send up to ${maxEmails} emails, as with Postmark`,
      description:
        'Takes what Postmark’s `POST /email/batch` takes, and sends it as `POST /api/v1/emails/batch` does. An invalid email has its error in its place, and the others go out.',
      example: {
        body: [
          {
            From: 'Northwind <hello@northwind.example>',
            To: 'ann@example.com',
            Subject: 'Your digest',
            TextBody: 'Hello Ann',
          },
          {
            From: 'Northwind <hello@northwind.example>',
            To: 'bob',
            Subject: 'Your digest',
            TextBody: 'Hello Bob',
          },
        ],
      },
    },
  },
  (unadmitted, capability) => {
    const { readBody, headers } = unadmitted;
    const batch = readPostmarkBatch(batchForms.list, readBody(), headers['idempotency-key']);
    return answerPostmarkBatch(batch, unadmitted, capability);
  },
);
