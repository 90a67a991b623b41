import * as z from 'zod/mini';
import { deliveryIdSchema } from '#shared/tokens/resource-id';
import { deliveryViewSchema } from '#shared/webhooks/delivery-view';

/** Path of POST /api/v1/webhooks/deliveries/{id}/redeliver. */
export const pathSchema = z.object({ id: deliveryIdSchema });

/** Response 202: the new delivery. */
export const responseSchema = deliveryViewSchema;
