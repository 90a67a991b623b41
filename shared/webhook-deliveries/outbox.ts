import { type WebhookSubscriptions, wantsEvent } from '#shared/organizations/webhook-subscriptions';
import { deliveryIdOf } from '#shared/tokens/delivery-id';
import {
  type ContactId,
  type FeedbackId,
  type OrganizationId,
  organizationIdOf,
  type WebhookId,
  webhookIdSchema,
  webhookMessageIdOf,
} from '#shared/tokens/resource-id';
import { type Delivery, type MessageType, pendingDelivery } from './delivery.ts';
import { resendMessage } from './resend-message.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** The send or contact that a delivery belongs to, and when it expires, in epoch seconds. */
export type DeliveryOwner = {
  readonly parent: FeedbackId | ContactId;
  readonly expiresAt: number;
};

/**
 * One delivery for each webhook that wants the type. An event with the same `key` makes the same deliveries, so it's
 * stored once. A change that may happen again needs a new `key` each time: see `suppressionDeliveries`.
 */
export function deliveriesOf(
  event: WebhookEvent,
  { parent, expiresAt }: DeliveryOwner,
  subscriptions: WebhookSubscriptions,
  now: number,
): Delivery[] {
  const wanting = wantersOf(event, subscriptions);
  // A shortcut for every send, since most organizations have no endpoint.
  if (wanting.length === 0) return [];

  const messageId = webhookMessageIdOf(organizationIdOf(parent), `${parent} ${event.key}`);
  return wanting.map(({ webhookId, body }) => ({
    ...pendingDelivery(now, expiresAt),
    id: deliveryIdOf(parent, messageId, webhookId),
    webhookId,
    messageId,
    type: event.type,
    body,
  }));
}

/**
 * For an event of the organization itself. Each delivery is stored with its endpoint.
 *
 * @param event its `key` is unique in the organization.
 * @param expiresAt epoch seconds
 */
export function organizationDeliveriesOf(
  event: WebhookEvent,
  organizationId: OrganizationId,
  expiresAt: number,
  subscriptions: WebhookSubscriptions,
): Delivery[] {
  const messageId = webhookMessageIdOf(organizationId, event.key);
  return wantersOf(event, subscriptions).map(({ webhookId, body }) => ({
    ...pendingDelivery(event.at, expiresAt),
    id: deliveryIdOf(webhookId, messageId, webhookId),
    webhookId,
    messageId,
    type: event.type,
    body,
  }));
}

type Wanter = { readonly webhookId: WebhookId; readonly body: string };

/**
 * Endpoints that want the event, with their messages. One in Resend's form doesn't want events that Resend has no
 * message for.
 */
const wantersOf = (event: WebhookEvent, subscriptions: WebhookSubscriptions): Wanter[] =>
  Object.entries(subscriptions).flatMap(([id, subscription]) => {
    if (!wantsEvent(subscription, event.type, event.send)) return [];
    const body =
      subscription.format === 'resend'
        ? resendMessage(event)
        : webhookBody(event.type, event.at, event.data);
    return body === undefined ? [] : { webhookId: webhookIdSchema.parse(id), body };
  });

/** Standard Webhooks, "Payload structure". */
export const webhookBody = (
  type: MessageType,
  at: number,
  data: Readonly<Record<string, unknown>>,
): string => JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
