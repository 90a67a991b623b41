import * as z from 'zod/mini';
import { deliveryViewSchema } from '#shared/deliveries/delivery-view';
import { webhookIdSchema } from '#shared/tokens/resource-id';

/** Path of POST /api/v1/webhooks/{id}/test. */
export const pathSchema = z.object({ id: webhookIdSchema });

/** Response 202: the delivery of the test message. */
export const responseSchema = deliveryViewSchema;
