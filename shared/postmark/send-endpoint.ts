import * as z from 'zod/mini';
import { type Endpoint, WithHeaders } from '#shared/endpoints/endpoint';
import type { UnadmittedRequest } from '#shared/endpoints/serve';
import { type BatchSending, replayHeaders, runBatch } from '#shared/sending/batch/run-batch';
import { sendDeclaration, unreservedSending } from '#shared/sending/send-declaration';
import { answerSend } from '#shared/sending/serve-send';
import type { TranslatedBatch, TranslatedPostmarkEmail } from './email-request.ts';
import { faultsInPostmarkNames } from './field-names.ts';
import { postmarkErrorOf } from './postmark-error.ts';
import {
  exampleInactive,
  exampleSent,
  refusedSchema,
  resultOf,
  sentSchema,
} from './send-result.ts';

export const postmarkSendDeclaration = {
  ...sendDeclaration,
  errorForm: 'postmark',
  answers: {
    200: {
      body: sentSchema,
      description: 'The email goes out. `Message` names addresses that don’t get it.',
      example: exampleSent,
      headers: ['Idempotency-Replayed'],
    },
    422: {
      body: refusedSchema,
      description: 'Every recipient in `To` is suppressed: `ErrorCode` is 406.',
      example: exampleInactive,
      headers: ['Idempotency-Replayed'],
    },
  },
  // Postmark's emails always go out at once.
  lambda: { ...unreservedSending, contents: { kept: ['Put'] }, stack: 'Postmark' },
} as const;

export const postmarkBatchDeclaration = {
  ...postmarkSendDeclaration,
  answers: {
    200: {
      body: z.array(z.union([sentSchema, refusedSchema])),
      description: 'The batch was processed: a result for each email, in order.',
      example: [
        exampleSent,
        { ErrorCode: 300, Message: '`To` must be an email address such as name@example.com' },
      ],
      headers: ['Idempotency-Replayed'],
    },
  },
  // For a hundred emails rendered from templates, and attachments of several at once.
  lambda: { ...unreservedSending, stack: 'Postmark', memoryMegabytes: 2048 },
} as const;

type Unadmitted = Pick<
  UnadmittedRequest<Endpoint>,
  'credential' | 'headers' | 'log' | 'responseHeaders'
>;

export async function answerPostmarkSend(
  { request, body, addressed }: TranslatedPostmarkEmail,
  unadmitted: Unadmitted,
  sending: BatchSending,
) {
  const asOurs = { ...unadmitted, readBody: () => body };
  const answered = await answerSend('send', request, asOurs, sending);
  const result = resultOf(addressed, answered.body, sending.now());
  return new WithHeaders(result, answered.headers, result.ErrorCode === 0 ? 200 : 422);
}

export async function answerPostmarkBatch(
  { batch, emails }: TranslatedBatch,
  unadmitted: Unadmitted,
  sending: BatchSending,
) {
  const told = { ...unadmitted, faultsOf: faultsInPostmarkNames };
  const outcomes = await runBatch(batch, told, sending);
  const now = sending.now();
  const results = outcomes.map((one, place) =>
    one.ok
      ? resultOf(emails[place]?.addressed ?? {}, one.response, now)
      : postmarkErrorOf(one.error),
  );
  return new WithHeaders(results, replayHeaders(outcomes));
}
