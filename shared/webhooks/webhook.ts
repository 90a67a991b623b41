import * as z from 'zod/mini';
import { organizationLimits } from '#shared/config/organization-limits';
import {
  wantsEvent,
  webhookEventTypes,
  webhookFormats,
} from '#shared/organizations/webhook-subscriptions';
import { templateIdSchema, webhookIdSchema } from '#shared/tokens/resource-id';
import { endpointHealthSchema } from './endpoint-health.ts';

export const maxWebhooks = organizationLimits.webhooks.most;

/** Disabled by its owner, by its answer 410, or after days of exhausted deliveries. */
export const disabledReasons = ['by_owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const webhookSchema = z.object({
  id: webhookIdSchema,
  url: z.string(),
  /** Empty: all types but `email.queued`. After a rollback some may be of a newer version, which report nothing. */
  eventTypes: z.array(z.union([z.enum(webhookEventTypes), z.string()])),
  /** Filters; an empty one matches anything. Tags are `name:value`, templates are ids. */
  tags: z.array(z.string()),
  templates: z.array(templateIdSchema),
  description: z.string(),
  format: z.optional(z.enum(webhookFormats)),
  secret: z.string(),
  previousSecrets: z.array(z.object({ secret: z.string(), expiresAt: z.int() })),
  disabled: z.optional(z.object({ reason: z.enum(disabledReasons), at: z.int() })),
  health: z.optional(endpointHealthSchema),
  /** The first failure since a success. */
  failingSince: z.optional(z.int()),
  /** While it's there, nothing is attempted: deliveries wait, and keep their attempts. */
  pausedAt: z.optional(z.int()),
  /** Its own number of attempts. Absent: the default of its format (`mostAttempts`). */
  maxAttempts: z.optional(z.int()),
  /**
   * In the future: the endpoint is slow, and until then only the scheduled run attempts deliveries to it. In the past:
   * it gave too few slow answers for that, and this counts them (`slownessAt`).
   */
  slowUntil: z.optional(z.int()),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type Webhook = z.infer<typeof webhookSchema>;

/** Whether it gets the organization's audit now. */
export const readsAudit = ({ disabled, format, ...subscription }: Webhook): boolean =>
  disabled === undefined &&
  format === undefined &&
  wantsEvent(subscription, 'audit.recorded', undefined);

/** Several during a rotation. */
export const signingSecretsOf = (
  { secret, previousSecrets }: Pick<Webhook, 'secret' | 'previousSecrets'>,
  now: number,
): string[] => [
  secret,
  ...previousSecrets.filter(({ expiresAt }) => expiresAt > now).map((previous) => previous.secret),
];

/** Identifies the version: always later than the previous one, even if clocks differ. */
export const changeTimeOf = ({ updatedAt }: Webhook, now: number): number =>
  Math.max(now, updatedAt + 1);
