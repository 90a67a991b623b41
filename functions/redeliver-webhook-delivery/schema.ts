import { deliveryViewSchema } from '#shared/webhooks/delivery-log-view';

/** Response 202 of POST /api/v1/webhooks/deliveries/{id}/redeliver: the new delivery, not yet attempted. */
export const responseSchema = deliveryViewSchema;
