import * as z from 'zod';
import { webhookFields, webhookViewSchema } from '#shared/webhooks/manage-fields';

/** Body of PATCH /api/v1/webhooks/{id}: the fields to change. A misspelt one would change nothing. */
export const requestSchema = z
  .strictObject({
    url: webhookFields.url.exactOptional(),
    eventTypes: webhookFields.eventTypes.exactOptional(),
    description: webhookFields.description.exactOptional(),
    enabled: z.boolean().exactOptional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, {
    message: 'give at least one of url, eventTypes, description, enabled',
  });
export type UpdateWebhookRequest = z.infer<typeof requestSchema>;

/** Response 200: the endpoint as it is now, without its secret. */
export const responseSchema = webhookViewSchema;
