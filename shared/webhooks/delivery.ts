import * as z from 'zod/mini';
import {
  deliveryIdSchema,
  webhookIdSchema,
  webhookMessageIdSchema,
} from '#shared/tokens/resource-id';
import { webhookEventTypes } from './webhook.ts';

/**
 * A delivery: the outbox row, written with the event it tells of, and the log of its attempts.
 *
 * | from      | to          | when                                                              |
 * |-----------|-------------|-------------------------------------------------------------------|
 * | (none)    | `pending`   | in the transaction of the event                                   |
 * | `pending` | `pending`   | an attempt begins (lease), or failed and the next one has its time |
 * | `pending` | `delivered` | the receiver answered 2xx                                         |
 * | `pending` | `failed`    | the attempts are used up, or the endpoint is gone or disabled      |
 */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const attemptSchema = z.object({
  /** Epoch milliseconds. */
  at: z.int(),
  durationMs: z.int(),
  statusCode: z.optional(z.int()),
  /** What kept an answer away, for example `timeout`, `blocked_address`, `interrupted`. */
  error: z.optional(z.string()),
  /** The first 1 KB of the answer. */
  answer: z.optional(z.string()),
});
export type Attempt = z.infer<typeof attemptSchema>;

export const deliverySchema = z.object({
  id: deliveryIdSchema,
  webhookId: webhookIdSchema,
  messageId: webhookMessageIdSchema,
  type: z.enum([...webhookEventTypes, 'webhook.test']),
  /** The body to POST, byte for byte: `{type, timestamp, data}`. */
  body: z.string(),
  status: z.enum(deliveryStatuses),
  /** Counted when an attempt begins, so that one whose process died is not forgotten. */
  attemptsStarted: z.int(),
  attempts: z._default(z.array(attemptSchema), []),
  /** When the next attempt may begin, epoch milliseconds. */
  dueAt: z.int(),
  leaseExpiresAt: z.optional(z.int()),
  failureReason: z.optional(z.string()),
  /** The delivery that repeats this failed one. */
  redeliveredAs: z.optional(deliveryIdSchema),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** Epoch seconds: when what it tells of is forgotten, and it too. */
  expiresAt: z.int(),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** What names a delivery and its endpoint: a message of the queue of first attempts. */
export const deliveryReferenceSchema = z.pick(deliverySchema, { id: true, webhookId: true });
export type DeliveryReference = z.infer<typeof deliveryReferenceSchema>;

/** The queue makes the first attempt at once; when its message is lost, the row is due after this. */
export const firstAttemptGraceMs = 60_000;
/** An attempt is over, one way or the other, well within this time. */
export const leaseMs = 30_000;

const firstRetryMs = 60_000;
const longestDelayMs = 3_600_000;

/**
 * How long after attempt number `attempt` (from 1) the next one waits: 1 min · 5^n, at most one hour
 * (contract, "Outbound webhooks"), less up to a tenth. What the receiver asks for counts up to the cap.
 *
 * @param jitter in [0, 1): random, so that a crowd of failures does not come back as a crowd.
 */
export function retryDelayMs(attempt: number, jitter: number, retryAfterMs = 0): number {
  const backoff = Math.min(longestDelayMs, firstRetryMs * 5 ** (attempt - 1));
  const asked = Math.min(longestDelayMs, retryAfterMs);
  return Math.max(asked, Math.round(backoff * (1 - jitter / 10)));
}
