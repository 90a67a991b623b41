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

export const sentRows = (
  send: Send,
  acceptance: Acceptance,
  webhooks: WebhookSubscriptions,
  now = acceptance.at,
) => deliveriesOf(sentEventOf(send, acceptance), ownerOf(send), webhooks, now);

export const failedRows = (
  send: Send,
  failure: Pick<FailedAttempt, 'at' | 'reason' | 'providerMessageId'>,
  webhooks: WebhookSubscriptions,
  now = failure.at,
) => deliveriesOf(failedEventOf(send, failure), ownerOf(send), webhooks, now);

/** Empty unless the claim suppressed the send. */
export const suppressedRows = (send: Send, webhooks: WebhookSubscriptions, now: number) =>
  send.status === 'suppressed'
    ? deliveriesOf(suppressedEventOf(send), ownerOf(send), webhooks, now)
    : [];

/** Empty unless the claim suppressed the send, or lets it wait. */
export const claimedRows = (send: Send, webhooks: WebhookSubscriptions, now: number) => [
  ...suppressedRows(send, webhooks, now),
  ...plannedRows(send, webhooks, now),
];

/** Empty unless the send waits. */
export function plannedRows(
  send: Send,
  webhooks: WebhookSubscriptions,
  now: number,
): readonly Delivery[] {
  const { status, dueAt } = send;
  if (dueAt === undefined) return [];
  const event = status === 'scheduled' ? scheduledEventOf : queuedEventOf;
  return deliveriesOf(event(send, dueAt, now), ownerOf(send), webhooks, now);
}

export const canceledRows = (send: Send, webhooks: WebhookSubscriptions, now: number) =>
  deliveriesOf(canceledEventOf(send, now), ownerOf(send), webhooks, now);
