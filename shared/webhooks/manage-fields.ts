import * as z from 'zod/mini';
import { type Webhook, webhookEventTypes, webhookSchema } from './webhook.ts';

const maxUrlLength = 2_048;
const maxDescriptionLength = 500;

/** What a request may say of an endpoint. */
export const webhookFields = {
  url: z
    .string()
    .check(
      z.maxLength(maxUrlLength),
      z.regex(/^[^\s\p{Cc}]+$/u, 'must be a URL without spaces or control characters'),
    ),
  /** Empty: all. */
  eventTypes: z.pipe(
    z.array(z.enum(webhookEventTypes)).check(z.maxLength(100)),
    z.transform((types) => [...new Set(types)]),
  ),
  description: z.string().check(z.maxLength(maxDescriptionLength)),
} as const;

/** An endpoint as its owner sees it. */
export const webhookViewSchema = z.object({
  ...z.omit(webhookSchema, { secret: true, previousSecrets: true }).shape,
  enabled: z.boolean(),
  /** Until when earlier secrets sign beside the current one, epoch milliseconds. */
  previousSecretsExpireAt: z.optional(z.int()),
});

/** An endpoint with its secret: at creation and rotation only. */
export const webhookWithSecretSchema = z.extend(webhookViewSchema, { secret: z.string() });

/** Has the secrets still: it is the schema of the response that leaves them out. */
export function toWebhookView(webhook: Webhook) {
  const ends = webhook.previousSecrets.map(({ expiresAt }) => expiresAt);
  return {
    ...webhook,
    enabled: webhook.disabled === undefined,
    ...(ends.length > 0 && { previousSecretsExpireAt: Math.max(...ends) }),
  };
}
