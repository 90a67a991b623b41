import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import type { ReceivedBody } from '#shared/endpoints/received-body';
import { ServiceError } from '#shared/errors/service-error';
import { postmarkTemplateEmailSchema, readPostmarkEmail } from '#shared/postmark/email-request';
import { postmarkEmailWords } from '#shared/postmark/email-words';
import { answerPostmarkSend, postmarkSendDeclaration } from '#shared/postmark/send-endpoint';
import { openSending } from '#shared/sending/sending';

export const endpoint = defineEndpoint(
  {
    ...postmarkSendDeclaration,
    // Some clients add a final slash, which no HTTP API route without a greedy parameter matches.
    route: ['POST /postmark/email/withTemplate', 'POST /postmark/email/withTemplate/{rest+}'],
    path: z.object({ rest: z.optional(z.literal('')) }),
    body: postmarkTemplateEmailSchema,
    errors: [...postmarkSendDeclaration.errors, 'endpoint_not_found'],
    admitsInOperation: true,
    uses: openSending,
    words: {
      ...postmarkEmailWords,
      summary: 'Send an email from a template, as with Postmark',
      description:
        'Takes what Postmark’s `POST /email/withTemplate` takes, and sends it as `POST /api/v1/emails/send` does. The template is one of this service.',
      fields: { ...postmarkEmailWords.fields, rest: 'Empty: the path may end with a slash.' },
      example: {
        path: { rest: '' },
        body: {
          From: 'Northwind <hello@northwind.example>',
          To: 'ann@example.com',
          TemplateAlias: 'welcome',
          TemplateModel: { name: 'Ann' },
        },
      },
    },
  },
  (unadmitted, capability) => {
    const { readBody, headers, pathParameters } = unadmitted;
    const received: ReceivedBody = pathParameters['rest']
      ? { ok: false, error: new ServiceError('endpoint_not_found') }
      : readBody();
    const email = readPostmarkEmail(endpoint.body, received, headers['idempotency-key']);
    return answerPostmarkSend(email, unadmitted, capability);
  },
);
