import * as z from 'zod/mini';
import { deliveryViewSchema } from '#shared/deliveries/delivery-view';
import { deliveryIdSchema } from '#shared/tokens/resource-id';

/** Path of POST /api/v1/webhooks/deliveries/{id}/redeliver. */
export const pathSchema = z.object({ id: deliveryIdSchema });

/** Response 202: the new delivery. */
export const responseSchema = deliveryViewSchema;
