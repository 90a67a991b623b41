import * as z from 'zod/mini';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { readResendBatch, resendBatchHeadersSchema } from '#shared/resend/batch-request';
import { resendEmailSchema } from '#shared/resend/email-request';
import { resendEmailWords } from '#shared/resend/email-words';
import { faultsOfEmail } from '#shared/resend/field-names';
import { resendRateHeadersAt, resendSendDeclaration } from '#shared/resend/resend-declaration';
import { resendMessageOf } from '#shared/resend/resend-error';
import { emailListOf, maxEmails } from '#shared/sending/batch/batch-request';
import { replayHeaders, runBatch } from '#shared/sending/batch/run-batch';
import { openSending } from '#shared/sending/sending';
import { exampleIds } from '#shared/tokens/example-values';
import { sendIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    ...resendSendDeclaration,
    route: 'POST /resend/emails/batch',
    headers: resendBatchHeadersSchema,
    body: emailListOf(resendEmailSchema),
    answers: {
      200: {
        body: z.object({
          data: z.array(z.object({ id: sendIdSchema })),
          errors: z.optional(z.array(z.object({ index: z.int(), message: z.string() }))),
        }),
        description: 'The emails that were accepted, in order, and why the others weren’t.',
        example: {
          data: [{ id: exampleIds.send }],
          errors: [{ index: 1, message: '`subject` is required' }],
        },
        headers: ['Idempotency-Replayed'],
      },
    },
    admitsInOperation: true,
    uses: openSending,
    // A hundred emails rendered from templates, several with attachments at once.
    lambda: {
      ...resendSendDeclaration.lambda,
      memoryMegabytes: 2048,
    },
    words: {
      ...resendEmailWords,
      summary: `Send up to ${maxEmails} emails, as with Resend`,
      description: `Takes what Resend’s \`POST /emails/batch\` takes, and sends it as \`POST /api/v1/emails/batch\` does. If one email is invalid, none goes out, unless \`x-batch-validation\` is \`permissive\`.

\`errors\` also has the emails of a strict batch that SES rejected after accepting others, or whose key another request is using. Repeat the batch with its \`Idempotency-Key\`: what went out is replayed, the rest is sent.`,
      fields: {
        ...resendEmailWords.fields,
        'x-batch-validation': '`strict`, the default: one invalid email refuses all. `permissive`.',
        'idempotency-key': 'Your name for this batch. Repeat it with the same key and order.',
        data: 'The emails that were accepted, in order.',
        errors: 'The emails that were not. Absent if there are none.',
        'errors.index': 'The place of the email in the request, from 0.',
        'errors.message': 'What is wrong with it.',
      },
      example: {
        headers: { 'idempotency-key': 'digest-monday', 'x-batch-validation': 'permissive' },
        body: [
          {
            from: 'Northwind <hello@northwind.example>',
            to: 'ann@example.com',
            subject: 'Your digest',
            html: '<p>Hello Ann</p>',
          },
          {
            from: 'Northwind <hello@northwind.example>',
            to: ['bob@example.com'],
            text: 'Hello Bob',
          },
        ],
      },
    },
  },
  async (unadmitted, capability) => {
    const { readBody, headers } = unadmitted;
    const batch = readResendBatch(readBody(), headers, capability.now());
    const headersOf = resendRateHeadersAt(capability.now());
    const command = { ...unadmitted, headersOf, faultsOf: faultsOfEmail, sharesCode: true };
    const outcomes = await runBatch(batch, command, capability);
    const data = outcomes.flatMap((one) => (one.ok ? [{ id: one.response.sendId }] : []));
    const errors = outcomes.flatMap((one, index) =>
      one.ok ? [] : [{ index, message: resendMessageOf(one.error), error: one.error }],
    );
    // A program that asks for all or none doesn't look for errors in a successful answer.
    if (batch.ok && batch.value.isStrict && data.length === 0 && errors[0]) throw errors[0].error;
    return new WithHeaders({ data, ...(errors.length > 0 && { errors }) }, replayHeaders(outcomes));
  },
);
