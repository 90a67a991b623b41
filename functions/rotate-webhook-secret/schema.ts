import * as z from 'zod/mini';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { webhookWithSecretSchema } from '#shared/webhooks/webhook-fields';

/** Path of POST /api/v1/webhooks/{id}/rotate-secret. */
export const pathSchema = z.object({ id: webhookIdSchema });

const defaultOverlapHours = 24;
const maxOverlapHours = 168;

/** Body of POST /api/v1/webhooks/{id}/rotate-secret. A request without a body counts as an empty one. */
export const requestSchema = z.strictObject({
  /** How long the previous secrets still sign beside the new one. With 0 they stop at once. */
  overlapHours: z._default(z.number().check(z.gte(0), z.lte(maxOverlapHours)), defaultOverlapHours),
});
export type RotateSecretRequest = z.infer<typeof requestSchema>;

/** Response 200, with the new secret. */
export const responseSchema = webhookWithSecretSchema;
