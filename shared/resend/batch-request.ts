import * as z from 'zod/mini';
import { type ReceivedBody, requireBody } from '#shared/endpoints/received-body';
import { parseFields } from '#shared/errors/field-error';
import { parseParameters } from '#shared/http/parse-request';
import {
  batchHeadersSchema,
  batchOf,
  emailListOf,
  type ParsedBatch,
} from '#shared/sending/batch/batch-request';
import { readResendEmail } from './email-request.ts';

const validation = {
  'x-batch-validation': z._default(z.enum(['strict', 'permissive']), 'strict'),
};

export const resendBatchHeadersSchema = z.extend(batchHeadersSchema, validation);

export const readResendBatch = (
  received: ReceivedBody,
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): ParsedBatch =>
  batchOf(headers['idempotency-key'], () => {
    const bodies = parseFields(emailListOf(z.unknown()), requireBody(received));
    const mode = parseParameters(z.object(validation), headers)['x-batch-validation'];
    const emails = bodies.map((value) => readResendEmail({ ok: true, value }, undefined, now));
    return {
      emails: emails.map(({ request }) => request),
      bodies: emails.map(({ body }) => body),
      // What it does: `refusalOfAll` in `send-batch.ts`. The answer: `functions/resend-api-send-email-batch`.
      isStrict: mode === 'strict',
    };
  });
