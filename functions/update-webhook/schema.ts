import * as z from 'zod/mini';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { webhookFields, webhookViewSchema } from '#shared/webhooks/webhook-fields';
import { checkUrlField } from '#shared/webhooks/webhook-url';

/** Path of PATCH /api/v1/webhooks/{id}. */
export const pathSchema = z.object({ id: webhookIdSchema });

/** Body of PATCH /api/v1/webhooks/{id}: the fields to change. */
export const requestSchema = z
  .strictObject({
    url: z.exactOptional(webhookFields.url.check(z.superRefine(checkUrlField))),
    eventTypes: z.exactOptional(webhookFields.eventTypes),
    description: z.exactOptional(webhookFields.description),
    enabled: z.exactOptional(z.boolean()),
  })
  .check(
    z.refine((changes) => Object.keys(changes).length > 0, {
      error: 'give at least one of url, eventTypes, description, enabled',
    }),
  );
export type UpdateWebhookRequest = z.infer<typeof requestSchema>;

/** Response 200, without the secret. */
export const responseSchema = webhookViewSchema;
