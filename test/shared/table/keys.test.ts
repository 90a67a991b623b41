import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryKey, deliveryLogIndexKey } from '#shared/table/delivery-keys';
import {
  apiKeyKey,
  bareAddressKey,
  contactIndexKey,
  contactKey,
  organizationKey,
  organizationOfPartition,
  rateWindowKey,
  usageKey,
} from '#shared/table/keys';
import {
  clickedKey,
  eventKey,
  messageKey,
  openedKey,
  recipientIndexKey,
  recipientIndexPartition,
  sendKey,
  sendListIndexKey,
  sendListShards,
  sendPartition,
  slotIdAt,
} from '#shared/table/send-keys';
import { deliveryIdOf } from '#shared/tokens/delivery-id';
import {
  contactIdOf,
  type DeliveryId,
  feedbackIdOf,
  newApiKeyId,
  newNonce,
  newOrganizationId,
  newWebhookId,
  newWebhookMessageId,
  sendIdOf,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';

const organizationId = newOrganizationId();
const slotId = slotIdOf(organizationId, 'key-1');
const sendId = sendIdOf(slotId, newNonce());
const feedbackId = feedbackIdOf(sendId);
/** The send that had the slot before, and is expired. */
const earlier = feedbackIdOf(sendIdOf(slotId, newNonce()));
const apiKeyId = newApiKeyId(organizationId);
const contactId = contactIdOf(organizationId, 'ann@example.com');

describe('every key', () => {
  it('begins with its organization and stands for one item', () => {
    const keys = [
      organizationKey(organizationId),
      apiKeyKey(apiKeyId),
      sendKey(slotId),
      sendKey(slotIdOf(organizationId, 'key-2')),
      messageKey(slotId, 'message-1'),
      messageKey(slotId, 'message-2'),
      eventKey(slotId, 'bounced', 'message-1'),
      eventKey(slotId, 'bounced', 'message-2'),
      eventKey(slotId, 'delivered', 'message-1'),
      openedKey(feedbackId),
      openedKey(earlier),
      clickedKey(feedbackId, 'https://example.com/a'),
      clickedKey(feedbackId, 'https://example.com/b'),
      clickedKey(earlier, 'https://example.com/a'),
      rateWindowKey(apiKeyId, 1),
      rateWindowKey(apiKeyId, 2),
      contactKey(contactId),
      usageKey(organizationId, '2026-01', 'shardId-1'),
      usageKey(organizationId, '2026-01', 'shardId-2'),
      usageKey(organizationId, '2026-02', 'shardId-1'),
    ];

    for (const { pk } of keys) expect(pk.split('#').slice(0, 2)).toEqual(['ORG', organizationId]);
    expect(new Set(keys.map(({ pk, sk }) => `${pk} ${sk}`)).size).toBe(keys.length);
    for (const { pk } of keys) expect(organizationOfPartition(pk)).toBe(organizationId);
  });

  it('shows no address and no idempotency key', () => {
    const keys = [
      contactKey(contactId),
      contactIndexKey('ann@example.com', contactId),
      recipientIndexKey(contactId, slotId, 1_000),
      sendKey(slotIdOf(organizationId, 'order 4711 of ann@example.com')),
    ];

    expect(JSON.stringify(keys)).not.toMatch(/ann@|4711/);
  });
});

describe('a send', () => {
  it('is found from its idempotency key, its id and its feedback id alike', () => {
    const slots = [slotIdOf(organizationId, 'key-1'), slotIdIn(sendId), slotIdIn(feedbackId)];

    expect(slots.map(sendKey)).toEqual(slots.map(() => sendKey(slotId)));
  });

  it('shares its partition with its messages and events, and with no other send', () => {
    const partitions = [
      sendPartition(slotId),
      sendKey(slotId).pk,
      messageKey(slotId, 'message-1').pk,
      eventKey(slotId, 'delivered', 'message-1').pk,
      openedKey(feedbackId).pk,
      clickedKey(feedbackId, 'https://example.com/').pk,
    ];
    const neighbour = sendKey(slotIdOf(organizationId, undefined)).pk;

    expect(new Set(partitions).size).toBe(1);
    expect(partitions).not.toContain(neighbour);
  });
});

describe('the partition of a send', () => {
  it('names its slot', () => {
    fc.assert(
      fc.property(fc.option(fc.string(), { nil: undefined }), (key) => {
        const slot = slotIdOf(newOrganizationId(), key);

        expect(slotIdAt(sendPartition(slot))).toBe(slot);
      }),
    );
  });

  it.each(['', organizationKey(organizationId).pk, 'ORG#org_1#SEND#1'])('is not "%s"', (pk) => {
    expect(() => slotIdAt(pk)).toThrow();
  });
});

describe('the list of sends', () => {
  it('is spread over every shard about evenly', () => {
    const sends = 8_000;
    const shards = Array.from(
      { length: sends },
      () => sendListIndexKey(slotIdOf(organizationId, undefined), 1_000).gsi2pk,
    );

    const sizes = Object.values(Object.groupBy(shards, (shard) => shard)).map(
      (shard) => shard?.length ?? 0,
    );
    expect(sizes).toHaveLength(sendListShards);
    expect(Math.max(...sizes)).toBeLessThan((2 * sends) / sendListShards);
  });

  it('is in the order of time within a shard', () => {
    const times = [9, 1_000, 999_999_999_999, 1_750_000_000_000];

    const keys = times.map((createdAt) => sendListIndexKey(slotId, createdAt));

    const sortKeys = keys.map(({ gsi2sk }) => gsi2sk);
    expect(sortKeys.toSorted()).toEqual(sortKeys);
    expect(new Set(keys.map(({ gsi2pk }) => gsi2pk)).size).toBe(1);
  });
});

describe('the list of the sends to one recipient', () => {
  const bob = contactIdOf(organizationId, 'bob@example.com');

  it("is one recipient's of one organization", () => {
    const elsewhere = contactIdOf(newOrganizationId(), 'ann@example.com');

    const partitions = [contactId, bob, elsewhere].map((id) => recipientIndexPartition(id));

    expect(new Set(partitions).size).toBe(3);
    expect(recipientIndexKey(contactId, slotId, 1_000).gsi3pk).toBe(partitions[0]);
  });

  it('is in the order of time, and tells two sends of one moment apart', () => {
    const neighbour = slotIdOf(organizationId, 'key-2');
    const times = [9, 1_000, 999_999_999_999, 1_750_000_000_000];

    const inTime = times.map((at) => recipientIndexKey(contactId, slotId, at).gsi3sk);
    const atOnce = [slotId, neighbour].map((slot) => recipientIndexKey(contactId, slot, 9).gsi3sk);

    expect(inTime.toSorted()).toEqual(inTime);
    expect(new Set(atOnce).size).toBe(2);
  });
});

describe("the log of an endpoint's deliveries", () => {
  it('is in the order of time, and tells two deliveries of one moment apart', () => {
    const webhookId = newWebhookId(organizationId);
    const newId = () => deliveryIdOf(feedbackId, newWebhookMessageId(organizationId), webhookId);
    const [one, other] = [newId(), newId()];
    const sortKeyOf = (id: DeliveryId, at: number) => deliveryLogIndexKey(webhookId, id, at).gsi2sk;

    const inTime = [9, 1_000, 1_750_000_000_000].map((at) => sortKeyOf(one, at));

    expect(inTime.toSorted()).toEqual(inTime);
    expect(sortKeyOf(one, 9)).not.toBe(sortKeyOf(other, 9));
    expect(deliveryKey(one).pk).toBe(deliveryKey(other).pk);
  });
});

describe('the requests that name an address', () => {
  it('stand by address and hour, under no organization', () => {
    const keys = [
      bareAddressKey('ann@example.com', 1),
      bareAddressKey('ann@example.com', 2),
      bareAddressKey('bob@example.com', 1),
    ];

    expect(new Set(keys.map(({ pk, sk }) => `${pk} ${sk}`)).size).toBe(3);
    for (const { pk } of keys) expect(organizationOfPartition(pk)).toBeUndefined();
    expect(JSON.stringify(keys)).not.toMatch(/ann@|bob@/);
  });
});

describe('the lookup of an address', () => {
  it('leads to one place from every organization', () => {
    const other = contactIdOf(newOrganizationId(), 'ann@example.com');

    const [one, two] = [contactId, other].map((id) => contactIndexKey('ann@example.com', id));

    expect(one?.gsi1pk).toBe(two?.gsi1pk);
    expect(one?.gsi1sk).not.toBe(two?.gsi1sk);
  });
});
