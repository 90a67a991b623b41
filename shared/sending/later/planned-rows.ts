import type { Delivery } from '#shared/deliveries/delivery';
import { deliveriesOf } from '#shared/deliveries/outbox';
import type { WebhookSubscriptions } from '#shared/organizations/webhook-subscriptions';
import { ownerOf, type Send } from '#shared/sending/send';
import {
  canceledEventOf,
  queuedEventOf,
  scheduledEventOf,
} from '#shared/sending/send-webhook-event';

/** The outbox rows of a send that waits. */
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

export const canceledRows = (
  send: Send,
  webhooks: WebhookSubscriptions,
  now: number,
): readonly Delivery[] => deliveriesOf(canceledEventOf(send, now), ownerOf(send), webhooks, now);
