import {
  type FilteredSend,
  type WebhookEventType,
  type WebhookSubscriptions,
  wantsEvent,
} from '#shared/organizations/webhook-subscriptions';
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
import { type EmailOfEvent, resendMessage } from './resend-message.ts';

/** Something that webhooks may subscribe to. */
export type WebhookEvent = {
  readonly type: WebhookEventType;
  /** Identifies the event: the same text however often it is reported. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** The send that it happened to, if it is of an email. */
  readonly send?: FilteredSend & EmailOfEvent;
};

/** The send or contact that a delivery belongs to, and until when both are kept: epoch seconds. */
export type DeliveryOwner = {
  readonly parent: FeedbackId | ContactId;
  readonly expiresAt: number;
};

/**
 * Builds the outbox rows of an event: one delivery for each webhook that wants the type. The event determines
 * them completely, so writing them twice writes the same rows.
 *
 * @param owner the send or contact that the event happened to.
 * @param now epoch milliseconds
 */
export function deliveriesOf(
  event: WebhookEvent,
  { parent, expiresAt }: DeliveryOwner,
  subscriptions: WebhookSubscriptions,
  now: number,
): Delivery[] {
  const wanting = wantersOf(event, subscriptions);
  // Most organizations have no endpoint, and every send asks.
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
 * The outbox rows of an event of the organization itself. Each row is stored with its endpoint.
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

/** The endpoints that want it, each with what it gets. What Resend has no message for isn't wanted in that form. */
const wantersOf = (event: WebhookEvent, subscriptions: WebhookSubscriptions): Wanter[] =>
  Object.entries(subscriptions).flatMap(([id, subscription]) => {
    if (!wantsEvent(subscription, event.type, event.send)) return [];
    const body =
      subscription.format === 'resend'
        ? resendMessage(event)
        : webhookBody(event.type, event.at, event.data);
    return body === undefined ? [] : { webhookId: webhookIdSchema.parse(id), body };
  });

/** The body of a message (Standard Webhooks, "Payload structure"). */
export const webhookBody = (
  type: MessageType,
  at: number,
  data: Readonly<Record<string, unknown>>,
): string => JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
