import * as z from 'zod/mini';
import { webhookFields, webhookWithSecretSchema } from '#shared/webhooks/webhook-fields';
import { checkUrlField } from '#shared/webhooks/webhook-url';

/** Body of POST /api/v1/webhooks. */
export const requestSchema = z.strictObject({
  url: webhookFields.url.check(z.superRefine(checkUrlField)),
  eventTypes: z._default(webhookFields.eventTypes, []),
  description: z._default(webhookFields.description, ''),
});
export type CreateWebhookRequest = z.infer<typeof requestSchema>;

/** Response 201, with the secret. Only the answer to a rotation has it too. */
export const responseSchema = webhookWithSecretSchema;
