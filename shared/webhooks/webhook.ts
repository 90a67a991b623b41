import * as z from 'zod/mini';
import { webhookEventTypes } from '#shared/organizations/webhook-subscriptions';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { endpointHealthSchema } from './endpoint-health.ts';

// An endpoint: what is stored of it, its limits, and when it is slow. How long an old secret still signs is in
// `functions/rotate-webhook-secret/schema.ts`, when an endpoint is disabled in `endpoint-health.ts`, how many attempts
// a delivery has, and how long each may take, in `config/webhook-environment.ts`.

export const maxWebhooks = 20;

/** Why a webhook is disabled: by its owner, by its answer 410, or after days of exhausted deliveries. */
export const disabledReasons = ['by_owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const webhookSchema = z.object({
  id: webhookIdSchema,
  url: z.string(),
  /** The types that it wants; empty: all. */
  eventTypes: z.array(z.enum(webhookEventTypes)),
  description: z.string(),
  secret: z.string(),
  /** They sign beside the current secret while rotations last, newest first. */
  previousSecrets: z.array(z.object({ secret: z.string(), expiresAt: z.int() })),
  disabled: z.optional(z.object({ reason: z.enum(disabledReasons), at: z.int() })),
  /** Absent while no delivery is exhausted. */
  health: z.optional(endpointHealthSchema),
  /**
   * Until then only the scheduled run attempts deliveries to it, because its answers were slow. In the
   * past, it counts slow answers that were too few for that (`slownessAt`).
   */
  slowUntil: z.optional(z.int()),
  createdAt: z.int(),
  updatedAt: z.int(),
});
/** An endpoint of a customer that receives an organization's events. */
export type Webhook = z.infer<typeof webhookSchema>;

/** The secrets that sign a message at the moment `now`: several while a rotation lasts. */
export const signingSecretsOf = (
  { secret, previousSecrets }: Pick<Webhook, 'secret' | 'previousSecrets'>,
  now: number,
): string[] => [
  secret,
  ...previousSecrets.filter(({ expiresAt }) => expiresAt > now).map((previous) => previous.secret),
];

/**
 * The `updatedAt` of a change. It identifies the version, so it is later than the one before even when
 * clocks differ.
 */
export const changeTimeOf = ({ updatedAt }: Webhook, now: number): number =>
  Math.max(now, updatedAt + 1);

/** An answer that takes longer than this is slow; one that takes twice as long counts twice, and so on. */
export const slowAfterMs = 3_000;

/** An endpoint is slow when its slow answers within a minute count more than ten. */
const slowWindowMs = 60_000;
const slowAnswersInWindow = 10;
const longestSlowMs = 120_000;

/**
 * Whether an endpoint was slow to answer lately. The scheduled run then makes the first attempts at it,
 * because the run limits the share of each endpoint. Else the functions of the queue would all wait for
 * the slow endpoint, and the others would get nothing.
 */
export const isSlow = ({ slowUntil }: Pick<Webhook, 'slowUntil'>, now: number): boolean =>
  slowUntil !== undefined && slowUntil > now;

/** Whether an endpoint stays slow for so long that there is no need to count further slow answers. */
export const isSlowForLong = (webhook: Pick<Webhook, 'slowUntil'>, now: number): boolean =>
  isSlow(webhook, now + longestSlowMs / 2);

/**
 * How a slow answer at the moment `now` moves `slowUntil`. It fills a bucket that leaks (the generic cell
 * rate algorithm, ITU-T I.371): `slowUntil` is the moment when the bucket is down to the ten answers that
 * a minute may have. So it lies in the past until there are more of them.
 */
export const slownessAt = (now: number) => ({
  /** What one answer adds to `slowUntil`. */
  addedMs: slowWindowMs / slowAnswersInWindow,
  /** The bucket is empty when `slowUntil` is absent or not later than this. */
  empty: now - slowWindowMs,
  /** The bucket is full when `slowUntil` is not earlier than this: the answer adds nothing. */
  full: now + longestSlowMs,
});
