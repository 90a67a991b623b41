import * as z from 'zod/mini';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { webhookViewSchema } from '#shared/webhooks/webhook-fields';

/** Path of GET /api/v1/webhooks/{id}. */
export const pathSchema = z.object({ id: webhookIdSchema });

/** Response 200, without the secret. */
export const responseSchema = webhookViewSchema;
