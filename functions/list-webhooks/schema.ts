import * as z from 'zod/mini';
import { webhookViewSchema } from '#shared/webhooks/webhook-fields';

/** Response 200 of GET /api/v1/webhooks: all webhooks, oldest first, without their secrets. */
export const responseSchema = z.object({ data: z.array(webhookViewSchema) });
