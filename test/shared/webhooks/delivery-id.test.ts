import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contactKey,
  deliveryIdAt,
  deliveryKey,
  organizationKey,
  sendKey,
  webhookKey,
  webhooksOf,
} from '#shared/table/keys';
import {
  contactIdOf,
  type DeliveryId,
  deliveryIdOf,
  deliveryParentOf,
  feedbackIdOf,
  newDeliveryId,
  newNonce,
  newOrganizationId,
  newWebhookId,
  newWebhookMessageId,
  organizationIdOf,
  sendIdOf,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { newSendId } from '../../support/send-builder.ts';

const organizationId = newOrganizationId();
const messageId = newWebhookMessageId(organizationId);
const webhookId = newWebhookId(organizationId);

const feedbackId = feedbackIdOf(newSendId(organizationId));
const contactId = contactIdOf(organizationId, 'ann@example.com');

const parents = [
  { kind: 'send', id: feedbackId, partition: sendKey(slotIdIn(feedbackId)).pk },
  { kind: 'contact', id: contactId, partition: contactKey(contactId).pk },
  { kind: 'webhook', id: webhookId, partition: `ORG#${organizationId}#WEBHOOK#${webhookId}` },
] as const;

const keyOf = (id: DeliveryId) => deliveryKey(id);

describe.each(parents)('a delivery that belongs to a $kind', ({ kind, id, partition }) => {
  const deliveryId = deliveryIdOf(id, messageId, webhookId);

  it('leads back to it, and to the organization', () => {
    expect(deliveryParentOf(deliveryId)).toEqual({ kind, id });
    expect(organizationIdOf(deliveryId)).toBe(organizationId);
  });

  it('stands in its partition', () => {
    expect(keyOf(deliveryId)).toEqual({
      pk: partition,
      sk: `DELIVERY#${deliveryId.slice(-32)}`,
    });
  });

  it('is named by its key: the id is not stored a second time', () => {
    expect(deliveryIdAt(keyOf(deliveryId))).toBe(deliveryId);
  });

  it('stands beside its repetitions, each of an id of its own', () => {
    const again = [newDeliveryId(deliveryId), newDeliveryId(deliveryId)];

    expect(new Set([deliveryId, ...again]).size).toBe(3);
    expect(again.map((other) => keyOf(other).pk)).toEqual(again.map(() => keyOf(deliveryId).pk));
  });
});

describe('the deliveries of tests', () => {
  it("stand apart from the organization's own items, which every send reads", () => {
    const deliveryId = deliveryIdOf(webhookId, messageId, webhookId);

    expect(keyOf(deliveryId).pk).not.toBe(webhooksOf(organizationId).pk);
  });
});

describe('the key of a delivery', () => {
  it('and its id lead to each other, whatever the delivery belongs to', () => {
    const newParents = [
      () => feedbackIdOf(newSendId(newOrganizationId())),
      () => contactIdOf(newOrganizationId(), 'ann@example.com'),
      () => newWebhookId(newOrganizationId()),
    ];

    fc.assert(
      fc.property(fc.constantFrom(...newParents), fc.boolean(), (newParent, isRepetition) => {
        const parent = newParent();
        const organization = organizationIdOf(parent);
        const first = deliveryIdOf(
          parent,
          newWebhookMessageId(organization),
          newWebhookId(organization),
        );
        const id = isRepetition ? newDeliveryId(first) : first;

        expect(deliveryIdAt(deliveryKey(id))).toBe(id);
        expect(deliveryParentOf(id).id).toBe(parent);
      }),
    );
  });

  it('tells two sends of one slot apart: the id of a delivery names its own send', () => {
    const slotId = slotIdOf(organizationId, 'key-1');
    const [first, second] = [newNonce(), newNonce()].map((nonce) =>
      deliveryIdOf(feedbackIdOf(sendIdOf(slotId, nonce)), messageId, webhookId),
    );

    expect(first && deliveryKey(first).pk).toBe(second && deliveryKey(second).pk);
    expect(first && deliveryKey(first).sk).not.toBe(second && deliveryKey(second).sk);
  });

  it.each([
    ['an organization', organizationKey(organizationId)],
    ['a send', sendKey(slotIdIn(feedbackId))],
    ['a contact', contactKey(contactId)],
    ['an endpoint', webhookKey(webhookId)],
    ['nothing', { pk: '', sk: '' }],
  ])('is not that of %s', (_what, key) => {
    expect(() => deliveryIdAt(key)).toThrow();
  });
});
