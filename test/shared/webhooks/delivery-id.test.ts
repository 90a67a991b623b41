import { describe, expect, it } from 'vitest';
import { deliveryKey, webhooksOf } from '#shared/table/keys';
import {
  contactIdOf,
  type DeliveryId,
  deliveryIdOf,
  deliveryParentOf,
  feedbackIdOf,
  newDeliveryId,
  newOrganizationId,
  newSendId,
  newWebhookId,
  newWebhookMessageId,
  organizationIdOf,
} from '#shared/tokens/resource-id';

const organizationId = newOrganizationId();
const messageId = newWebhookMessageId(organizationId);
const webhookId = newWebhookId(organizationId);

const parents = [
  { kind: 'send', id: feedbackIdOf(newSendId(organizationId)), partition: 'SEND' },
  { kind: 'contact', id: contactIdOf(organizationId, 'ann@example.com'), partition: 'CONTACT' },
  { kind: 'webhook', id: webhookId, partition: 'WEBHOOK' },
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
      pk: `ORG#${organizationId}#${partition}#${id}`,
      sk: `DELIVERY#${deliveryId}`,
    });
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
