import * as z from 'zod/mini';
import { type Unadmitted, WithHeaders } from '#shared/endpoints/endpoint';
import { answerSend } from '#shared/sending/answer-send';
import { replayHeaders, runBatch } from '#shared/sending/batch/run-batch';
import type { SendResponse, SuppressedRecipient } from '#shared/sending/send';
import { sendDeclaration, unreservedSending } from '#shared/sending/send-declaration';
import type { Sending } from '#shared/sending/sending';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { sendIdSchema } from '#shared/tokens/resource-id';
import type { Addressed, TranslatedBatch, TranslatedPostmarkEmail } from './email-request.ts';
import { faultsInPostmarkNames } from './field-names.ts';
import { inactiveRecipient, postmarkErrorOf } from './postmark-error.ts';

const sentSchema = z.object({
  To: z.optional(z.string()),
  Cc: z.optional(z.string()),
  Bcc: z.optional(z.string()),
  SubmittedAt: z.iso.datetime(),
  MessageID: sendIdSchema,
  ErrorCode: z.literal(0),
  Message: z.string(),
});

const refusedSchema = z.object({ ErrorCode: z.int(), Message: z.string() });

type EmailResult = z.output<typeof sentSchema> | z.output<typeof refusedSchema>;

/** Clients read the addresses from the message. */
function resultOf(
  { To, Cc, Bcc }: Addressed,
  { sendId, status, suppressedRecipients = [] }: SendResponse,
  now: number,
): EmailResult {
  const inactive = listed(suppressedRecipients);
  if (status === 'suppressed') return nobodyGetsIt(inactive);
  return {
    ...(To && { To }),
    ...(Cc && { Cc }),
    ...(Bcc && { Bcc }),
    SubmittedAt: new Date(now).toISOString(),
    MessageID: sendId,
    ErrorCode: 0,
    Message:
      inactive === ''
        ? 'OK'
        : `The email goes out, but not to these inactive addresses: ${inactive}. ${whoIsInactive}`,
  };
}

const nobodyGetsIt = (inactive: string): z.output<typeof refusedSchema> => ({
  ErrorCode: inactiveRecipient,
  Message: `Nobody gets this email. Found inactive addresses: ${inactive}. ${whoIsInactive}`,
});

const listed = (recipients: readonly SuppressedRecipient[]): string =>
  recipients.map(({ email }) => email).join(', ');

const whoIsInactive = 'Inactive recipients are suppressed here: GET /api/v1/suppressions says why.';

const exampleSent = {
  To: 'ann@example.com',
  SubmittedAt: new Date(exampleTime).toISOString(),
  MessageID: exampleIds.send,
  ErrorCode: 0 as const,
  Message: 'OK',
};

const exampleInactive = nobodyGetsIt('ann@example.com');

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
      description: `Every recipient in \`To\` is suppressed: \`ErrorCode\` is ${inactiveRecipient}.`,
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

type PostmarkRequest = Pick<Unadmitted, 'credential' | 'headers' | 'context' | 'responseHeaders'>;

export async function answerPostmarkSend(
  { request, body, addressed }: TranslatedPostmarkEmail,
  unadmitted: PostmarkRequest,
  sending: Sending,
) {
  const answered = await answerSend('send', { request, body }, unadmitted, sending);
  const result = resultOf(addressed, answered.body, sending.now());
  return new WithHeaders(result, answered.headers, result.ErrorCode === 0 ? 200 : 422);
}

export async function answerPostmarkBatch(
  { batch, emails }: TranslatedBatch,
  unadmitted: PostmarkRequest,
  sending: Sending,
) {
  const command = { ...unadmitted, faultsOf: faultsInPostmarkNames };
  const outcomes = await runBatch(batch, command, sending);
  const now = sending.now();
  const results = outcomes.map((one, place) =>
    one.ok
      ? resultOf(emails[place]?.addressed ?? {}, one.response, now)
      : postmarkErrorOf(one.error),
  );
  return new WithHeaders(results, replayHeaders(outcomes));
}
