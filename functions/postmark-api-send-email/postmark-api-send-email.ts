import { sendingEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { postmarkEmailSchema, readPostmarkEmail } from '#shared/postmark/email-request';
import { postmarkEmailWords } from '#shared/postmark/email-words';
import { answerPostmarkSend, postmarkSendDeclaration } from '#shared/postmark/send-endpoint';
import { openSending } from '#shared/sending/sending';

export const endpoint = defineEndpoint(
  {
    ...postmarkSendDeclaration,
    route: 'POST /postmark/email',
    body: postmarkEmailSchema,
    admitsInOperation: true,
    uses: openSending,
    lambda: {
      ...postmarkSendDeclaration.lambda,
      environment: sendingEnvironment,
      tableActions: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    },
    words: {
      ...postmarkEmailWords,
      summary: 'Send an email, as with Postmark',
      description:
        'Takes what Postmark’s `POST /email` takes, and sends it as `POST /api/v1/emails/send` does: the same suppressions, timeline and limits. Each request is an email, unless it has an `Idempotency-Key`.',
      example: {
        body: {
          From: 'Northwind <hello@northwind.example>',
          To: 'ann@example.com',
          Subject: 'Welcome',
          HtmlBody: '<p>Hello Ann</p>',
        },
      },
    },
  },
  (unadmitted, capability) => {
    const { readBody, headers } = unadmitted;
    const email = readPostmarkEmail(endpoint.body, readBody(), headers['idempotency-key']);
    return answerPostmarkSend(email, unadmitted, capability);
  },
);
