import * as z from 'zod/mini';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { signatureFaultSchema } from '#shared/webhooks/signature-faults';

/** Path of POST /api/v1/webhooks/{id}/verify. */
export const pathSchema = z.object({ id: webhookIdSchema });

/** Every guess signs it anew, and messages are a few kilobytes. */
const maxPayloadLength = 100_000;

const shortText = z.string().check(z.minLength(1), z.maxLength(2_000));

/**
 * Body of POST /api/v1/webhooks/{id}/verify: a message as the receiver has it. What the headers say may be
 * given field by field, and a field counts before a header.
 */
export const requestSchema = z.strictObject({
  /** What the receiver takes for the body of the request. */
  payload: z.string().check(z.maxLength(maxPayloadLength)),
  headers: z.exactOptional(
    z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(8_000))),
  ),
  /** The header `webhook-id`. */
  webhookId: z.exactOptional(shortText),
  /** The header `webhook-timestamp`. A number counts as its digits. */
  timestamp: z.exactOptional(z.union([shortText, z.pipe(z.int(), z.transform(String))])),
  /** The header `webhook-signature`, or what the receiver computed. */
  signature: z.exactOptional(shortText),
});
export type VerifySignatureRequest = z.infer<typeof requestSchema>;

/** Response 200. */
export const responseSchema = z.object({
  /** Whether the signature is right for this message as it is. */
  fits: z.boolean(),
  /** What is wrong, and what to do. Empty when a receiver should accept the message. */
  causes: z.array(z.object({ code: signatureFaultSchema, explanation: z.string() })),
});
export type VerifySignatureResponse = z.infer<typeof responseSchema>;
