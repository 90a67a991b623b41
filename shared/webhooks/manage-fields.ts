import * as z from 'zod';
import { type Webhook, webhookEventTypes, webhookSchema } from './webhook.ts';

const maxUrlLength = 2_048;
const maxDescriptionLength = 500;

/** What a request may say of an endpoint. */
export const webhookFields = {
  url: z
    .string()
    .max(maxUrlLength)
    .regex(/^[^\s\p{Cc}]+$/u, 'must be a URL without spaces or control characters'),
  /** Empty: all. */
  eventTypes: z
    .array(z.enum(webhookEventTypes))
    .max(100)
    .transform((types) => [...new Set(types)]),
  description: z.string().max(maxDescriptionLength),
} as const;

/** An endpoint as its owner sees it. */
export const webhookViewSchema = z.object({
  ...webhookSchema.omit({ secret: true, previousSecrets: true }).shape,
  enabled: z.boolean(),
  /** Until when earlier secrets sign beside the current one, epoch milliseconds. */
  previousSecretsExpireAt: z.int().optional(),
});

/** An endpoint with its secret: at creation and rotation only. */
export const webhookWithSecretSchema = webhookViewSchema.extend({ secret: z.string() });

/** Has the secrets still: it is the schema of the response that leaves them out. */
export function toWebhookView(webhook: Webhook) {
  const ends = webhook.previousSecrets.map(({ expiresAt }) => expiresAt);
  return {
    ...webhook,
    enabled: webhook.disabled === undefined,
    ...(ends.length > 0 && { previousSecretsExpireAt: Math.max(...ends) }),
  };
}
