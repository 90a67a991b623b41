import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryIdAt, deliveryKey } from '#shared/table/delivery-keys';
import { contactKey, organizationKey, webhookKey, webhooksOf } from '#shared/table/keys';
import { sendKey } from '#shared/table/send-keys';
import { deliveryIdOf, deliveryParentOf, newDeliveryId } from '#shared/tokens/delivery-id';
import {
  contactIdOf,
  type DeliveryId,
  feedbackIdOf,
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

  it('has an id that holds the parent and the organization', () => {
    expect(deliveryParentOf(deliveryId)).toEqual({ kind, id });
    expect(organizationIdOf(deliveryId)).toBe(organizationId);
  });

  it('is stored in the partition of its parent', () => {
    expect(keyOf(deliveryId)).toEqual({
      pk: partition,
      sk: `DELIVERY#${deliveryId.slice(-32)}`,
    });
  });

  it('has a key from which its id can be read', () => {
    expect(deliveryIdAt(keyOf(deliveryId))).toBe(deliveryId);
  });

  it('is stored beside its redeliveries, each with an id of its own', () => {
    const again = [newDeliveryId(deliveryId), newDeliveryId(deliveryId)];

    expect(new Set([deliveryId, ...again]).size).toBe(3);
    expect(again.map((other) => keyOf(other).pk)).toEqual(again.map(() => keyOf(deliveryId).pk));
  });
});

describe('the deliveries of tests', () => {
  it("are not in the partition of the organization's items, which every send reads", () => {
    const deliveryId = deliveryIdOf(webhookId, messageId, webhookId);

    expect(keyOf(deliveryId).pk).not.toBe(webhooksOf(organizationId).pk);
  });
});

describe('the key of a delivery', () => {
  it('and its id can be read from each other, whatever the parent', () => {
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

  it('differs for two sends of one slot, because the id of a delivery holds its own send', () => {
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
