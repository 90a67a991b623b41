import * as z from 'zod/mini';
import { webhookFields, webhookWithSecretSchema } from '#shared/webhooks/manage-fields';

/**
 * Body of POST /api/v1/webhooks. An unknown field is refused: a misspelt `eventTypes` would subscribe
 * the endpoint to everything.
 */
export const requestSchema = z.strictObject({
  url: webhookFields.url,
  eventTypes: z._default(webhookFields.eventTypes, []),
  description: z._default(webhookFields.description, ''),
});
export type CreateWebhookRequest = z.infer<typeof requestSchema>;

/** Response 201: the endpoint and the secret that its messages are signed with. */
export const responseSchema = webhookWithSecretSchema;
