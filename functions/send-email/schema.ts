import { sendAnswerSchema } from '#shared/sending/send';
import { sendBodySchema, sendHeadersSchema } from '#shared/sending/send-request';

/** Body of POST /api/v1/emails/send: an email in its own words, or by a template. */
export const requestSchema = sendBodySchema;

/** `Idempotency-Key`. */
export const headersSchema = sendHeadersSchema;

/** Response 200. */
export const responseSchema = sendAnswerSchema;
