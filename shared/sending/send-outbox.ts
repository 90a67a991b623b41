import type { WebhookSubscriptions } from '#shared/organizations/webhook-subscriptions';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { type Acceptance, type FailedAttempt, ownerOf, type Send } from './send.ts';
import {
  canceledEventOf,
  failedEventOf,
  queuedEventOf,
  scheduledEventOf,
  sentEventOf,
  suppressedEventOf,
} from './send-webhook-event.ts';

// What webhooks report about a change to a send: deliveries that are stored with it.

export const emailSentDeliveries = (
  send: Send,
  acceptance: Acceptance,
  subscriptions: WebhookSubscriptions,
  now = acceptance.at,
) => deliveriesOf(sentEventOf(send, acceptance), ownerOf(send), subscriptions, now);

export const emailFailedDeliveries = (
  send: Send,
  failure: Pick<FailedAttempt, 'at' | 'reason' | 'providerMessageId'>,
  subscriptions: WebhookSubscriptions,
  now = failure.at,
) => deliveriesOf(failedEventOf(send, failure), ownerOf(send), subscriptions, now);

/** Empty unless the claim suppressed the send. */
export const emailSuppressedDeliveries = (
  send: Send,
  subscriptions: WebhookSubscriptions,
  now: number,
) =>
  send.status === 'suppressed'
    ? deliveriesOf(suppressedEventOf(send), ownerOf(send), subscriptions, now)
    : [];

/** Empty unless the claim suppressed the send, or lets it wait. */
export const deliveriesOfClaim = (send: Send, subscriptions: WebhookSubscriptions, now: number) => [
  ...emailSuppressedDeliveries(send, subscriptions, now),
  ...deliveriesOfPlan(send, subscriptions, now),
];

/** Empty unless the send waits. */
export function deliveriesOfPlan(
  send: Send,
  subscriptions: WebhookSubscriptions,
  now: number,
): readonly Delivery[] {
  const { status, dueAt } = send;
  if (dueAt === undefined) return [];
  const event = status === 'scheduled' ? scheduledEventOf : queuedEventOf;
  return deliveriesOf(event(send, dueAt, now), ownerOf(send), subscriptions, now);
}

export const emailCanceledDeliveries = (
  send: Send,
  subscriptions: WebhookSubscriptions,
  now: number,
) => deliveriesOf(canceledEventOf(send, now), ownerOf(send), subscriptions, now);
