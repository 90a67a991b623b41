import {
  type ContactId,
  deliveryIdOf,
  type FeedbackId,
  organizationIdOf,
  webhookIdSchema,
  webhookMessageIdOf,
} from '#shared/tokens/resource-id';
import { type Delivery, firstAttemptGraceMs } from './delivery.ts';
import type { WebhookEventType, WebhookSubscriptions } from './webhook.ts';

/** Something that happened and that endpoints may want to hear of. */
export type WebhookEvent = {
  readonly type: Exclude<WebhookEventType, 'webhook.test'>;
  /** What makes it one event: the same text for the same event, whoever reports it how often. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
};

/** What a delivery belongs to, and until when both are kept: epoch seconds. */
export type DeliveryOwner = {
  readonly parent: FeedbackId | ContactId;
  readonly expiresAt: number;
};

/**
 * The rows that tell of an event: one delivery per endpoint that wants the type. All of them follow from
 * the event, so that writing them twice writes the same.
 *
 * @param owner the send or contact it happened to.
 * @param now epoch milliseconds
 */
export function deliveriesOf(
  event: WebhookEvent,
  { parent, expiresAt }: DeliveryOwner,
  subscriptions: WebhookSubscriptions,
  now: number,
): Delivery[] {
  const messageId = webhookMessageIdOf(organizationIdOf(parent), `${parent} ${event.key}`);
  const body = webhookBody(event.type, event.at, event.data);
  return Object.entries(subscriptions)
    .filter(([, { eventTypes }]) => eventTypes.length === 0 || eventTypes.includes(event.type))
    .map(([id]) => {
      const webhookId = webhookIdSchema.parse(id);
      return {
        ...pendingDelivery(now, expiresAt),
        id: deliveryIdOf(parent, messageId, webhookId),
        webhookId,
        messageId,
        type: event.type,
        body,
      };
    });
}

/** The body of a message (Standard Webhooks, "Payload structure"). */
export const webhookBody = (
  type: WebhookEventType,
  at: number,
  data: Readonly<Record<string, unknown>>,
): string => JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });

/** The state a delivery begins in. `expiresAt` in epoch seconds. */
export const pendingDelivery = (now: number, expiresAt: number) => ({
  status: 'pending' as const,
  attemptsStarted: 0,
  attempts: [],
  dueAt: now + firstAttemptGraceMs,
  createdAt: now,
  updatedAt: now,
  expiresAt,
});
