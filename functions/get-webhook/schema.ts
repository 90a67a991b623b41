import { webhookViewSchema } from '#shared/webhooks/manage-fields';

/** Response 200 of GET /api/v1/webhooks/{id}: the endpoint, without its secret. */
export const responseSchema = webhookViewSchema;
