import type { Delivery } from '#shared/deliveries/delivery';
import { deliveriesOf } from '#shared/deliveries/outbox';
import type { WebhookEvent } from '#shared/deliveries/webhook-event';
import type { WebhookSubscriptions } from '#shared/organizations/webhook-subscriptions';
import { type Acceptance, type FailedAttempt, ownerOf, type Send } from './send.ts';
import {
  canceledEventOf,
  failedEventOf,
  queuedEventOf,
  scheduledEventOf,
  sentEventOf,
  suppressedEventOf,
} from './send-webhook-event.ts';

// What webhooks learn of a change to a send, as the deliveries that are stored with it.

const rowsOf = (
  send: Send,
  event: WebhookEvent,
  webhooks: WebhookSubscriptions,
  now: number,
): readonly Delivery[] => deliveriesOf(event, ownerOf(send), webhooks, now);

export const sentRows = (send: Send, acceptance: Acceptance, webhooks: WebhookSubscriptions) =>
  rowsOf(send, sentEventOf(send, acceptance), webhooks, acceptance.at);

export const failedRows = (
  send: Send,
  failure: Pick<FailedAttempt, 'at' | 'reason'>,
  webhooks: WebhookSubscriptions,
) => rowsOf(send, failedEventOf(send, failure), webhooks, failure.at);

/** None, unless the claim suppressed the send. */
export const suppressedRows = (send: Send, webhooks: WebhookSubscriptions, now: number) =>
  send.status === 'suppressed' ? rowsOf(send, suppressedEventOf(send), webhooks, now) : [];

/** None, unless the send waits. */
export function plannedRows(
  send: Send,
  webhooks: WebhookSubscriptions,
  now: number,
): readonly Delivery[] {
  const { status, dueAt } = send;
  if (dueAt === undefined) return [];
  const event = status === 'scheduled' ? scheduledEventOf : queuedEventOf;
  return rowsOf(send, event(send, dueAt, now), webhooks, now);
}

export const canceledRows = (send: Send, webhooks: WebhookSubscriptions, now: number) =>
  rowsOf(send, canceledEventOf(send, now), webhooks, now);
