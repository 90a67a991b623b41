import { describe, expect, it } from 'vitest';
import {
  apiKeyKey,
  contactIndexKey,
  contactKey,
  eventKey,
  idempotencyKey,
  messageKey,
  organizationKey,
  organizationOfPartition,
  rateWindowKey,
  sendKey,
  sendKeyOf,
  sendListIndexKey,
  sendListShards,
  usageKey,
} from '#shared/table/keys';
import {
  contactIdOf,
  feedbackIdOf,
  newApiKeyId,
  newOrganizationId,
  newSendId,
} from '#shared/tokens/resource-id';

const organizationId = newOrganizationId();
const sendId = newSendId(organizationId);
const feedbackId = feedbackIdOf(sendId);
const apiKeyId = newApiKeyId(organizationId);
const contactId = contactIdOf(organizationId, 'ann@example.com');

describe('every key', () => {
  it('begins with its organization and stands for one item', () => {
    const keys = [
      organizationKey(organizationId),
      apiKeyKey(apiKeyId),
      sendKey(feedbackId),
      messageKey(feedbackId, 'message-1'),
      eventKey(feedbackId, 'sent', 'message-1'),
      eventKey(feedbackId, 'sent', 'message-2'),
      eventKey(feedbackId, 'delivered', 'message-1'),
      idempotencyKey(organizationId, 'key-1'),
      idempotencyKey(organizationId, 'key-2'),
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
      idempotencyKey(organizationId, 'order 4711 of ann@example.com'),
    ];

    expect(JSON.stringify(keys)).not.toMatch(/ann|4711/);
  });
});

describe('a send', () => {
  it('is found from its id and from its feedback id alike', () => {
    expect(sendKeyOf(sendId)).toEqual(sendKey(feedbackId));
  });

  it('shares its partition with its messages and events, and with no other send', () => {
    const partitions = [
      sendKey(feedbackId).pk,
      messageKey(feedbackId, 'message-1').pk,
      eventKey(feedbackId, 'sent', 'message-1').pk,
    ];
    const neighbour = sendKeyOf(newSendId(organizationId)).pk;

    expect(new Set(partitions).size).toBe(1);
    expect(partitions).not.toContain(neighbour);
  });
});

describe('the list of sends', () => {
  it('is spread over every shard about evenly', () => {
    const sends = 8_000;
    const shards = Array.from(
      { length: sends },
      () => sendListIndexKey(newSendId(organizationId), 1_000).gsi2pk,
    );

    const sizes = Object.values(Object.groupBy(shards, (shard) => shard)).map(
      (shard) => shard?.length ?? 0,
    );
    expect(sizes).toHaveLength(sendListShards);
    expect(Math.max(...sizes)).toBeLessThan((2 * sends) / sendListShards);
  });

  it('is in the order of time within a shard', () => {
    const times = [9, 1_000, 999_999_999_999, 1_750_000_000_000];

    const keys = times.map((createdAt) => sendListIndexKey(sendId, createdAt));

    const sortKeys = keys.map(({ gsi2sk }) => gsi2sk);
    expect(sortKeys.toSorted()).toEqual(sortKeys);
    expect(new Set(keys.map(({ gsi2pk }) => gsi2pk)).size).toBe(1);
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
