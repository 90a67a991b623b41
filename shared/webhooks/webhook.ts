import * as z from 'zod/mini';
import { webhookIdSchema } from '#shared/tokens/resource-id';

/** What an endpoint can be told of. `webhook.test` goes out on request only. */
export const webhookEventTypes = [
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.opened',
  'email.clicked',
  'contact.unsubscribed',
  'contact.preferences_updated',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number] | 'webhook.test';

export const maxWebhooks = 20;

/** Why an endpoint gets nothing: its owner, its answer 410, or days of failures only. */
export const disabledReasons = ['by_owner', 'gone', 'failing'] as const;

export const webhookSchema = z.object({
  id: webhookIdSchema,
  url: z.string(),
  /** The types it wants; empty: all. */
  eventTypes: z.array(z.enum(webhookEventTypes)),
  description: z.string(),
  secret: z.string(),
  /** Sign beside the current secret while rotations last, newest first. */
  previousSecrets: z.array(z.object({ secret: z.string(), expiresAt: z.int() })),
  disabled: z.optional(z.object({ reason: z.enum(disabledReasons), at: z.int() })),
  /** Since when there were only failures; absent after a success. */
  failingSince: z.optional(z.int()),
  /** It kept us waiting: until then only the scheduled run attempts deliveries to it. */
  slowUntil: z.optional(z.int()),
  createdAt: z.int(),
  updatedAt: z.int(),
});
/** A receiver of an organization's events. */
export type Webhook = z.infer<typeof webhookSchema>;

/** Which enabled endpoints want what, kept on the organization so that a commit need not look. */
export const webhookSubscriptionsSchema = z.record(
  z.string(),
  z.object({ eventTypes: z.array(z.enum(webhookEventTypes)) }),
);
export type WebhookSubscriptions = z.infer<typeof webhookSubscriptionsSchema>;

const failingForMs = 5 * 86_400_000;

/** An answer takes longer only where nobody is at home, or the work is done before answering. */
export const slowAfterMs = 3_000;
const slowForMs = 120_000;

/** The secrets that sign a message at the moment `now`: several while a rotation lasts. */
export const signingSecretsOf = (
  { secret, previousSecrets }: Pick<Webhook, 'secret' | 'previousSecrets'>,
  now: number,
): string[] => [
  secret,
  ...previousSecrets.filter(({ expiresAt }) => expiresAt > now).map((previous) => previous.secret),
];

/** The moment of a change, later than the one before though clocks differ: it tells versions apart. */
export const changeTimeOf = ({ updatedAt }: Webhook, now: number): number =>
  Math.max(now, updatedAt + 1);

/** Whether an endpoint has only failed for so long that nobody is there any more. */
export const isDead = ({ failingSince }: Webhook, now: number): boolean =>
  failingSince !== undefined && now - failingSince >= failingForMs;

/**
 * Whether an endpoint lately kept us waiting for an answer. First attempts at it are then left to the
 * scheduled run, which gives each endpoint a share: else those that wait for it would take all of the
 * queue's functions from the others.
 */
export const isSlow = ({ slowUntil }: Webhook, now: number): boolean =>
  slowUntil !== undefined && slowUntil > now;

/** Until when an endpoint counts as slow that is so at the moment `now`: longer than from run to run. */
export const slowUntilFrom = (now: number): number => now + slowForMs;
