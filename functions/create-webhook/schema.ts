import * as z from 'zod';
import { webhookFields, webhookWithSecretSchema } from '#shared/webhooks/manage-fields';

/**
 * Body of POST /api/v1/webhooks. An unknown field is refused: a misspelt `eventTypes` would subscribe
 * the endpoint to everything.
 */
export const requestSchema = z.strictObject({
  url: webhookFields.url,
  eventTypes: webhookFields.eventTypes.default([]),
  description: webhookFields.description.default(''),
});
export type CreateWebhookRequest = z.infer<typeof requestSchema>;

/** Response 201: the endpoint and the secret that its messages are signed with. */
export const responseSchema = webhookWithSecretSchema;
