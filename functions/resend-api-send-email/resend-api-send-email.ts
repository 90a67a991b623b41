import * as z from 'zod/mini';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { readResendEmail, resendEmailSchema } from '#shared/resend/email-request';
import { resendEmailWords } from '#shared/resend/email-words';
import { resendRateHeadersAt, resendSendDeclaration } from '#shared/resend/resend-declaration';
import { answerSend } from '#shared/sending/answer-send';
import { openSending } from '#shared/sending/sending';
import { exampleIds } from '#shared/tokens/example-values';
import { sendIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    ...resendSendDeclaration,
    route: 'POST /resend/emails',
    body: resendEmailSchema,
    answers: {
      200: {
        body: z.object({ id: sendIdSchema }),
        description: 'The email is accepted, or every `to` is suppressed.',
        example: { id: exampleIds.send },
        headers: ['Idempotency-Replayed'],
      },
    },
    admitsInOperation: true,
    uses: openSending,
    words: {
      ...resendEmailWords,
      summary: 'Send an email, as with Resend',
      description:
        'Takes what Resend’s `POST /emails` takes, and sends it as `POST /api/v1/emails/send` does: the same keys, suppressions, timeline and limits, and one email per idempotency key.',
      example: {
        headers: { 'idempotency-key': 'welcome-ann' },
        body: {
          from: 'Northwind <hello@northwind.example>',
          to: 'ann@example.com',
          subject: 'Welcome',
          html: '<p>Hello Ann</p>',
        },
      },
    },
  },
  async (unadmitted, capability) => {
    const { readBody, headers } = unadmitted;
    const now = capability.now();
    const email = readResendEmail(readBody(), headers['idempotency-key'], now);
    const headersOf = resendRateHeadersAt(now);
    const answered = await answerSend('send', email, unadmitted, capability, headersOf);
    return new WithHeaders({ id: answered.body.sendId }, answered.headers);
  },
);
