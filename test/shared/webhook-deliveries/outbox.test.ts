import { describe, expect, it } from 'vitest';
import type {
  WebhookEventType,
  WebhookSubscriptions,
} from '#shared/organizations/webhook-subscriptions';
import { deliveryParentOf } from '#shared/tokens/delivery-id';
import {
  type ContactId,
  contactIdOf,
  type FeedbackId,
  feedbackIdOf,
  newOrganizationId,
  newWebhookId,
  partOf,
} from '#shared/tokens/resource-id';
import { deliverySchema, firstAttemptGraceMs } from '#shared/webhook-deliveries/delivery';
import {
  type DeliveryOwner,
  deliveriesOf,
  organizationDeliveriesOf,
} from '#shared/webhook-deliveries/outbox';
import type { EmailWebhookEvent } from '#shared/webhook-deliveries/webhook-event';
import { buildEmailEvent } from '../../support/delivery-builder.ts';
import { newSendId } from '../../support/send-builder.ts';
import { webhookNow as now } from '../webhooks/webhook-builder.ts';

const organizationId = newOrganizationId();
const expiresAt = now / 1000 + 7_776_000;
const ownerOf = (parent: FeedbackId | ContactId): DeliveryOwner => ({ parent, expiresAt });
const newOwner = () => ownerOf(feedbackIdOf(newSendId(organizationId)));
const owner = newOwner();

const buildEvent = (overrides: Partial<EmailWebhookEvent> = {}) =>
  buildEmailEvent({
    ...{ type: 'email.bounced', key: 'bounced message-1', at: now - 2_000 },
    ...overrides,
  });

/** One subscribed webhook for each list of wanted types. */
const subscribe = (...lists: readonly WebhookEventType[][]): WebhookSubscriptions =>
  Object.fromEntries(lists.map((eventTypes) => [newWebhookId(organizationId), { eventTypes }]));

describe('deliveriesOf', () => {
  it('is empty when no webhook is subscribed', () => {
    expect(deliveriesOf(buildEvent(), owner, {}, now)).toEqual([]);
  });

  it('has one delivery for each webhook that wants the type, or all types', () => {
    const subscriptions = subscribe([], ['email.sent'], ['email.sent', 'email.bounced']);
    const [everything, , bounces] = Object.keys(subscriptions);

    const deliveries = deliveriesOf(buildEvent(), owner, subscriptions, now);

    expect(deliveries.map(({ webhookId }) => webhookId)).toEqual([everything, bounces]);
  });

  it('sends the same message to all webhooks', () => {
    const event = buildEvent();
    const deliveries = deliveriesOf(event, owner, subscribe([], []), now);

    const [one, other] = deliveries;
    expect(other).toMatchObject({ messageId: one?.messageId, body: one?.body });
    expect(other?.id).not.toBe(one?.id);
    expect(JSON.parse(one?.body ?? '')).toEqual({
      type: 'email.bounced',
      timestamp: new Date(now - 2_000).toISOString(),
      data: event.data,
    });
  });

  it('is due a minute later, after the queue has had time for the first attempt', () => {
    const [delivery] = deliveriesOf(buildEvent(), owner, subscribe([]), now);

    expect(delivery).toMatchObject({
      status: 'pending',
      attemptsStarted: 0,
      attempts: [],
      dueAt: now + firstAttemptGraceMs,
      createdAt: now,
    });
    expect(deliverySchema.parse(delivery)).toEqual(delivery);
  });

  it('expires together with the send or contact', () => {
    const deliveries = deliveriesOf(buildEvent(), owner, subscribe([], []), now + 60_000);

    expect(deliveries.map((delivery) => delivery.expiresAt)).toEqual([expiresAt, expiresAt]);
  });

  it('has the same ids for any reporter and time', () => {
    const subscriptions = subscribe([], []);
    const ids = (later: number) =>
      deliveriesOf(buildEvent(), owner, subscriptions, later).map(({ id, messageId }) => [
        id,
        messageId,
      ]);

    expect(ids(now + 60_000)).toEqual(ids(now));
  });

  it('has different ids for another event, another send, or a contact', () => {
    const subscriptions = subscribe([]);
    const deliveries = [
      deliveriesOf(buildEvent(), owner, subscriptions, now),
      deliveriesOf(buildEvent({ key: 'bounced message-2' }), owner, subscriptions, now),
      deliveriesOf(buildEvent(), newOwner(), subscriptions, now),
      deliveriesOf(buildEvent(), ownerOf(contactIdOf(organizationId, 'ann')), subscriptions, now),
    ].flat();

    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(4);
    expect(new Set(deliveries.map(({ messageId }) => messageId)).size).toBe(4);
  });
});

describe('organizationDeliveriesOf', () => {
  const event = {
    type: 'identity.active',
    key: 'identity.active mail.example.com 1',
    at: now - 2_000,
    data: { domain: 'mail.example.com', fromEmail: 'a@mail.example.com' },
  } as const;

  it('has one delivery for each webhook that wants the type, the same each time', () => {
    const subscriptions = subscribe([], ['email.sent'], ['identity.active']);
    const [everything, , identities] = Object.keys(subscriptions);

    const deliveries = organizationDeliveriesOf(event, organizationId, expiresAt, subscriptions);
    const again = organizationDeliveriesOf(event, organizationId, expiresAt, subscriptions);

    expect(deliveries.map(({ webhookId }) => webhookId)).toEqual([everything, identities]);
    expect(again).toEqual(deliveries);
    for (const delivery of deliveries) {
      expect(deliverySchema.parse(delivery)).toEqual(delivery);
      expect(delivery.messageId).toContain(partOf(organizationId));
    }
  });

  it('is stored with its endpoint, and is a new message for another event', () => {
    const subscriptions = subscribe([]);
    const [one] = organizationDeliveriesOf(event, organizationId, expiresAt, subscriptions);
    const other = { ...event, key: 'identity.active mail.example.com 2' };
    const [next] = organizationDeliveriesOf(other, organizationId, expiresAt, subscriptions);

    expect(one && deliveryParentOf(one.id)).toEqual({ kind: 'webhook', id: one?.webhookId });
    expect(next?.messageId).not.toBe(one?.messageId);
  });
});
