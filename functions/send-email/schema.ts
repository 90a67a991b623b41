import * as z from 'zod/mini';
import { sendResponseSchema } from '#shared/sending/send';
import { sendRequestSchema, templateSendRequestSchema } from '#shared/sending/send-request';

/** Body of POST /api/v1/emails/send, in its own words or by a template. */
export const requestSchema = z.union([sendRequestSchema, templateSendRequestSchema]);

/** Response 200. `reused`: this is the answer to an earlier request with the same key. */
export const responseSchema = z.extend(sendResponseSchema, { reused: z.boolean() });
