import * as z from 'zod/mini';
import { sendingEnvironment } from '#shared/config/environment';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { errorFacts } from '#shared/errors/errors';
import type { ServiceError } from '#shared/errors/service-error';
import type { Outcome } from '#shared/sending/batch/batch-email';
import {
  batchBodySchema,
  batchHeadersSchema,
  maxEmails,
  readBatch,
} from '#shared/sending/batch/batch-request';
import { replayHeaders, runBatch } from '#shared/sending/batch/run-batch';
import { sendWords } from '#shared/sending/request/send-words';
import { sendAnswerSchema } from '#shared/sending/send';
import { sendDeclaration } from '#shared/sending/send-declaration';
import { openSending } from '#shared/sending/sending';
import { exampleIds } from '#shared/tokens/example-values';

/** The error a single send would get: see `http-endpoint.ts`. */
const errorSchema = z.object({
  code: z.string(),
  status: z.int(),
  title: z.string(),
  detail: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  retryAfterSeconds: z.optional(z.int()),
});

const idempotencyKey = z.optional(z.string());

const resultSchema = z.union([
  z.extend(sendAnswerSchema, { idempotencyKey }),
  z.object({ idempotencyKey, error: errorSchema }),
]);

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/emails/batch',
    ...sendDeclaration,
    headers: batchHeadersSchema,
    body: batchBodySchema,
    answers: {
      200: {
        body: z.object({ data: z.array(resultSchema) }),
        description: 'The batch was processed: a result for each email, in order.',
        example: {
          data: [
            {
              idempotencyKey: 'digest-monday:0',
              sendId: exampleIds.send,
              status: 'sent',
              messageId: '0100018c2f6b6e5c-1f8b6a0e-000000',
              reused: false,
            },
            {
              idempotencyKey: 'digest-monday:1',
              error: {
                code: 'unknown_policy',
                status: 400,
                title: 'Unknown policy',
                detail: 'The organization has no policy with this key.',
                errors: [
                  {
                    path: 'policyKey',
                    message: 'unknown policy: use one of transactional, bulk',
                  },
                ],
              },
            },
          ],
        },
        headers: ['Idempotency-Replayed'],
      },
    },
    admitsInOperation: true,
    uses: openSending,
    lambda: {
      ...sendDeclaration.lambda,
      environment: sendingEnvironment,
      // A hundred emails rendered from templates, several with attachments at once.
      memoryMegabytes: 2048,
    },
    words: {
      ...sendWords,
      summary: `Send up to ${maxEmails} emails`,
      description: `Sends up to ${maxEmails} emails with one request, several at a time. Each is an email as in \`POST /api/v1/emails/send\`, and \`data\` has the answer it would have got there, or its \`error\`. The status is 200 even if no email went out.

- \`validation: "permissive"\`, the default, sends every email that can be sent. \`"strict"\` sends none if one is invalid: the answer is 400, with paths such as \`emails.3.to\`. That includes files that can’t be fetched, within 10 s for all, and keys used for another email. If the organization’s limits have room for only some, all are refused: 429, or 400 if the batch exceeds the limit itself. A refused batch doesn’t count, and if other emails use most of the limit, a smaller batch fits sooner.
- Even a strict batch can go out in part: SES may reject an email after accepting others, another request may use a key at the same time, and a file may disappear if all have more than 64 MB. An email whose key is in progress gets 409, and the others go out. Repeat the batch.
- An email's idempotency key is its own, or the batch's \`Idempotency-Key\` with its place: \`digest-monday:3\`. Repeat the whole batch with the same key and in the same order: what went out is replayed, the rest is sent. If an email differs, its result is 422 \`idempotency_key_reused\`, and the others are replayed.
- All recipients of the batch count towards the API key's caps at once: they fit, or nothing goes out. If the organization's limits have room for only some emails, the first ones go out, unless the batch is strict.
- An email that wasn't started within 15 s, or that has a key and was throttled by SES, is \`queued\`: workers send it. So are those with \`mode\` or \`sendAt\`.`,
      fields: {
        ...sendWords.fields,
        emails: `1 to ${maxEmails} emails, in one request of at most 6 MB. Larger attachments come by \`uploadId\` or \`url\`.`,
        validation: 'Whether one invalid email refuses all: `strict`, else `permissive`.',
        data: 'The results, in the order of `emails`.',
        'data.idempotencyKey': 'The email’s key, if any.',
        'data.error': 'Why the email did not go out, as in `POST /api/v1/emails/send`.',
        'data.error.code': 'What went wrong, for programs: it never changes.',
        'data.error.title': 'The same in words.',
        'data.error.detail': 'What happened to this email, and what to do.',
        'data.error.errors': 'The invalid fields.',
        'data.error.errors.path': 'The field, within its email.',
        'data.error.errors.message': 'What is wrong with it.',
        'data.error.retryAfterSeconds': 'In how many seconds a retry may succeed.',
      },
      example: {
        headers: { 'idempotency-key': 'digest-monday' },
        body: {
          emails: [
            { to: 'ann@example.com', subject: 'Your digest', content: 'Hello Ann' },
            {
              to: 'bob@example.com',
              subject: 'Your digest',
              content: 'Hello Bob',
              policyKey: 'digest',
            },
          ],
        },
      },
    },
  },
  async (unadmitted, capability) => {
    const { readBody, headers } = unadmitted;
    const batch = readBatch(readBody(), headers['idempotency-key']);
    const outcomes = await runBatch(batch, unadmitted, capability);
    return new WithHeaders({ data: outcomes.map(resultOf) }, replayHeaders(outcomes));
  },
);

const resultOf = (outcome: Outcome) => ({
  ...(outcome.idempotencyKey !== undefined && { idempotencyKey: outcome.idempotencyKey }),
  ...(outcome.ok
    ? { ...outcome.response, reused: outcome.replayed }
    : { error: errorOf(outcome.error) }),
});

function errorOf({ code, message, errors, retryAfterSeconds }: ServiceError) {
  const { status, title } = errorFacts(code);
  return {
    code,
    status,
    title,
    detail: message,
    ...(errors && { errors: [...errors] }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
