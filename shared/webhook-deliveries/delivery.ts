import * as z from 'zod/mini';
import { webhookEventTypes } from '#shared/organizations/webhook-subscriptions';
import {
  type DeliveryId,
  deliveryIdSchema,
  webhookIdSchema,
  webhookMessageIdSchema,
} from '#shared/tokens/resource-id';

/**
 * A delivery is an item of the outbox, with the log of its attempts. It is written with the event it reports.
 *
 * | from      | to          | when                                                             |
 * |-----------|-------------|------------------------------------------------------------------|
 * | (none)    | `pending`   | before its event, or in one transaction with it                  |
 * | `pending` | `pending`   | an attempt begins (lease), or it failed and the next one is due  |
 * | `pending` | `pending`   | somebody retries it: it's due now (`waiting-store.ts`)           |
 * | `pending` | `delivered` | the receiver answered 2xx                                        |
 * | `pending` | `failed`    | the attempts are used up, or the endpoint is gone or disabled    |
 */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export const messageTypes = [...webhookEventTypes, 'webhook.test'] as const;
export type MessageType = (typeof messageTypes)[number];

const attemptSchema = z.object({
  at: z.int(),
  durationMs: z.int(),
  statusCode: z.optional(z.int()),
  /** Why there was no answer, such as `timeout`, `blocked_address`, `interrupted`. */
  error: z.optional(z.string()),
  /** The first 1 KB of the answer. */
  answer: z.optional(z.string()),
});
export type Attempt = z.infer<typeof attemptSchema>;

export const deliverySchema = z.object({
  id: deliveryIdSchema,
  webhookId: webhookIdSchema,
  messageId: webhookMessageIdSchema,
  /** Or one that only a newer version has: after a rollback its body is posted all the same. */
  type: z.union([z.enum(messageTypes), z.string()]),
  /** The body to POST, byte for byte: `{type, timestamp, data}`, or Resend's `{type, created_at, data}`. */
  body: z.string(),
  status: z.enum(deliveryStatuses),
  /** Counted when an attempt begins, so attempts whose process died count too. */
  attemptsStarted: z.int(),
  attempts: z._default(z.array(attemptSchema), []),
  dueAt: z.int(),
  leaseExpiresAt: z.optional(z.int()),
  failureReason: z.optional(z.string()),
  redeliveryOf: z.optional(deliveryIdSchema),
  redeliveredAs: z.optional(deliveryIdSchema),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** Epoch seconds: the same as the event's send or contact. */
  expiresAt: z.int(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const deliveryReferenceSchema = z.extend(
  z.pick(deliverySchema, { id: true, webhookId: true }),
  {
    /** Somebody asked for the next attempt. Without it, the queue brings the first one. */
    isRetry: z.optional(z.literal(true)),
  },
);
export type DeliveryReference = z.infer<typeof deliveryReferenceSchema>;

/** The queue makes the first attempt at once. If its message is lost, the delivery is due after this time. */
export const firstAttemptGraceMs = 60_000;
/** An attempt always ends well within this time. */
export const leaseMs = 30_000;

/** `now` in epoch milliseconds, `expiresAt` in epoch seconds. */
export const pendingDelivery = (now: number, expiresAt: number) => ({
  status: 'pending' as const,
  attemptsStarted: 0,
  attempts: [],
  dueAt: now + firstAttemptGraceMs,
  createdAt: now,
  updatedAt: now,
  expiresAt,
});

export const redeliveryOf = (original: Delivery, id: DeliveryId, now: number): Delivery => ({
  ...pendingDelivery(now, original.expiresAt),
  id,
  webhookId: original.webhookId,
  messageId: original.messageId,
  type: original.type,
  body: original.body,
  redeliveryOf: original.id,
});

/** Somebody asked for it, so it also goes to a disabled endpoint, and doesn't affect its health. */
export const isRedelivery = ({ redeliveryOf }: Delivery): boolean => redeliveryOf !== undefined;
