import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { sentEventOf } from '#shared/sending/send-webhook-event';
import { deliveryKey, dueShards } from '#shared/table/keys';
import type { StoredItem } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import {
  type DeliveryId,
  newOrganizationId,
  newWebhookId,
  organizationIdOf,
  type WebhookId,
} from '#shared/tokens/resource-id';
import { type Delivery, firstAttemptGraceMs, leaseMs } from '#shared/webhooks/delivery';
import {
  claimDelivery,
  type DueEntry,
  findDueDeliveries,
  getDelivery,
  putDeliveries,
  settleDelivery,
  storeDeliveries,
} from '#shared/webhooks/delivery-store';
import { deliveriesOf } from '#shared/webhooks/outbox';
import { itemSize } from '../../bench/item-size.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { buildDelivery, webhookNow as now } from './webhook-builder.ts';

const table = openStoreTable();

async function store(...deliveries: readonly Delivery[]): Promise<void> {
  await transactWrite(table, putDeliveries(table, deliveries));
}

async function storeNew(overrides: Parameters<typeof buildDelivery>[0] = {}): Promise<Delivery> {
  const delivery = buildDelivery(overrides);
  await store(delivery);
  return delivery;
}

/** A delivery that is stored, and claimed for its first attempt. */
async function storeClaimed(): Promise<Delivery> {
  const { id } = await storeNew();
  const claimed = await claimDelivery(table, id, 'first', now);
  if (claimed === undefined) throw new Error('not claimed');
  return claimed;
}

async function readItem(id: DeliveryId): Promise<StoredItem> {
  const { Item = {} } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: deliveryKey(id), ConsistentRead: true }),
  );
  return Item;
}

/** As DynamoDB bills it. */
const sizeOf = async (id: DeliveryId): Promise<number> => itemSize(marshall(await readItem(id)));

const attempt = { at: now, durationMs: 5, statusCode: 500, answer: 'no' };
const graceIsOver = now + firstAttemptGraceMs;

/** All that is due to one endpoint at a moment, page by page of every shard. */
async function findDue(webhookId: WebhookId, moment: number): Promise<DueEntry[]> {
  const found: DueEntry[] = [];
  for (let shard = 0; shard < dueShards; shard += 1) {
    let after: StoredItem | undefined;
    do {
      const page = await findDueDeliveries(table, shard, moment, after);
      found.push(...page.entries.filter((entry) => entry.webhookId === webhookId));
      after = page.next;
    } while (after !== undefined);
  }
  return found;
}

describe('an outbox row', () => {
  it('is read as it was stored', async () => {
    const delivery = await storeNew();

    expect(await getDelivery(table, delivery.id, now)).toEqual(delivery);
  });

  it('is stored once', async () => {
    const delivery = await storeNew();

    const again = await transactWrite(
      table,
      putDeliveries(table, [{ ...delivery, body: 'another' }]),
    );

    expect(again.committed).toBe(false);
    expect(await getDelivery(table, delivery.id, now)).toEqual(delivery);
  });

  it('that was never written is not there', async () => {
    expect(await getDelivery(table, buildDelivery().id, now)).toBeUndefined();
  });

  it('is hidden from the second in which it expires', async () => {
    const delivery = await storeNew({ expiresAt: now / 1000 });

    expect(await getDelivery(table, delivery.id, now - 1)).toEqual(delivery);
    expect(await getDelivery(table, delivery.id, now)).toBeUndefined();
  });

  it('tells its id and its attempts once: the key names it, and an empty list is left out', async () => {
    const { id } = await storeNew();

    expect(await readItem(id)).not.toHaveProperty('id');
    expect(await readItem(id)).not.toHaveProperty('attempts');
  });
});

describe('storing outbox rows one by one', () => {
  it('answers those that were not there', async () => {
    const [known, ...others] = [buildDelivery(), buildDelivery(), buildDelivery()];
    await store(known);

    const stored = await storeDeliveries(table, [known, ...others]);

    expect(stored).toEqual(others);
  });

  it('leaves a row that is there as it is, also one that was attempted', async () => {
    const claimed = await storeClaimed();

    const stored = await storeDeliveries(table, [{ ...claimed, attemptsStarted: 0 }]);

    expect(stored).toEqual([]);
    expect(await getDelivery(table, claimed.id, now)).toEqual(claimed);
  });

  it('answers each row once when the same rows come several times at once', async () => {
    const deliveries = [buildDelivery(), buildDelivery()];

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => storeDeliveries(table, deliveries)),
    );

    const stored = answers.flat().map(({ id }) => id);
    expect(stored.toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted());
  });

  it('makes them due as a transaction does', async () => {
    const delivery = buildDelivery();

    await storeDeliveries(table, [delivery]);

    const { id, webhookId, dueAt } = delivery;
    expect(await getDelivery(table, id, now)).toEqual(delivery);
    expect(await findDue(webhookId, graceIsOver)).toEqual([{ id, webhookId, dueAt }]);
  });

  it('asks nothing of the table for none', async () => {
    expect(await storeDeliveries(table, [])).toEqual([]);
  });
});

describe('the outbox row of a typical event', () => {
  const typicalSend = () =>
    buildSend({ toEmail: `${'a'.repeat(18)}@example.com`, subject: 's'.repeat(60) });
  const acceptance = {
    providerMessageId: '0102018c1f3e4a5b-12345678-1234-1234-1234-123456789012-000000',
    at: now - 123,
  };

  it('costs one write unit, as do its claim and its outcome', async () => {
    const send = typicalSend();
    const [delivery = buildDelivery()] = deliveriesOf(
      sentEventOf(send, acceptance),
      { parent: send.feedbackId, expiresAt: now / 1000 + 7_776_000 },
      { [newWebhookId(organizationIdOf(send.id))]: { eventTypes: [] } },
      now + 456,
    );

    const sizes = [];
    await store(delivery);
    sizes.push(await sizeOf(delivery.id));
    const claimed = await claimDelivery(table, delivery.id, 'first', now + 789);
    sizes.push(await sizeOf(delivery.id));
    const delivered = { at: now + 789, durationMs: 123, statusCode: 200, answer: '{"ok":true}' };
    const outcome = { status: 'delivered', attempts: [delivered] } as const;
    await settleDelivery(table, claimed ?? delivery, outcome, now + 912);
    sizes.push(await sizeOf(delivery.id));

    expect(await getDelivery(table, delivery.id, now)).toMatchObject(outcome);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(1_024);
  });
});

describe('a claim', () => {
  it('counts the attempt and holds the delivery for half a minute', async () => {
    const delivery = await storeNew();

    const claimed = await claimDelivery(table, delivery.id, 'first', now);

    const expected = { attemptsStarted: 1, leaseExpiresAt: now + leaseMs, updatedAt: now };
    expect(claimed).toEqual({ ...delivery, ...expected });
    expect(await getDelivery(table, delivery.id, now)).toEqual(claimed);
  });

  it.each(['first', 'due'] as const)('of several at once (%s), one wins', async (when) => {
    const { id } = await storeNew();

    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claimDelivery(table, id, when, graceIsOver)),
    );

    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  it('for the first attempt is none for a message that the queue gives twice', async () => {
    const { id } = await storeClaimed();

    expect(await claimDelivery(table, id, 'first', now + leaseMs + 1)).toBeUndefined();
  });

  it('of what is due waits for its time', async () => {
    const { id } = await storeNew();

    expect(await claimDelivery(table, id, 'due', graceIsOver - 1)).toBeUndefined();
    expect(await claimDelivery(table, id, 'due', graceIsOver)).toBeDefined();
  });

  it('is free again when the lease of a process that died runs out', async () => {
    const { id, leaseExpiresAt = 0 } = await storeClaimed();
    const due = { id, dueAt: graceIsOver };
    expect(leaseExpiresAt).toBeLessThan(due.dueAt);

    const second = await claimDelivery(table, id, 'due', graceIsOver);
    const duringLease = await claimDelivery(table, id, 'due', graceIsOver + leaseMs);
    const third = await claimDelivery(table, id, 'due', graceIsOver + leaseMs + 1);

    expect(second).toMatchObject({ attemptsStarted: 2 });
    expect(duringLease).toBeUndefined();
    expect(third).toMatchObject({ attemptsStarted: 3 });
  });

  it.each(['delivered', 'failed'] as const)('is none of a delivery that is %s', async (status) => {
    const { id } = await storeNew({ status });

    expect(await claimDelivery(table, id, 'due', graceIsOver)).toBeUndefined();
  });

  it.each(['first', 'due'] as const)('(%s) is none of a delivery that is expired', async (when) => {
    const { id } = await storeNew({ expiresAt: graceIsOver / 1000 });

    expect(await claimDelivery(table, id, when, graceIsOver)).toBeUndefined();
    expect(await claimDelivery(table, id, when, graceIsOver + 999)).toBeUndefined();
  });

  it('is made until the second in which the delivery expires', async () => {
    const { id } = await storeNew({ expiresAt: graceIsOver / 1000 + 1 });

    expect(await claimDelivery(table, id, 'due', graceIsOver + 999)).toBeDefined();
  });

  it('is none of a delivery that is not there', async () => {
    expect(await claimDelivery(table, buildDelivery().id, 'first', now)).toBeUndefined();
  });
});

describe('a settlement', () => {
  it('of a success ends the delivery', async () => {
    const claimed = await storeClaimed();

    await settleDelivery(table, claimed, { status: 'delivered', attempts: [attempt] }, now + 9);

    const { leaseExpiresAt: _lease, ...rest } = claimed;
    expect(await getDelivery(table, claimed.id, now)).toEqual({
      ...rest,
      status: 'delivered',
      attempts: [attempt],
      updatedAt: now + 9,
    });
    expect(await findDue(claimed.webhookId, now * 2)).toEqual([]);
  });

  it('of a failure for good ends it with the reason', async () => {
    const claimed = await storeClaimed();
    const outcome = { attempts: [attempt], failureReason: 'attempts_exhausted' };

    await settleDelivery(table, claimed, { status: 'failed', ...outcome }, now);

    expect(await getDelivery(table, claimed.id, now)).toMatchObject({
      status: 'failed',
      ...outcome,
    });
    expect(await findDue(claimed.webhookId, now * 2)).toEqual([]);
  });

  it('of a failure gives it another time, and frees it for then', async () => {
    const claimed = await storeClaimed();
    const { id, webhookId } = claimed;
    const dueAt = now + 300_000;

    await settleDelivery(table, claimed, { status: 'pending', attempts: [attempt], dueAt }, now);

    expect(await findDue(webhookId, dueAt - 1)).toEqual([]);
    expect(await findDue(webhookId, dueAt)).toEqual([{ id, webhookId, dueAt }]);
    expect(await claimDelivery(table, id, 'due', dueAt - 1)).toBeUndefined();
    expect(await claimDelivery(table, id, 'due', dueAt)).toMatchObject({ attemptsStarted: 2 });
  });

  it('is dropped when the lease ran out and somebody else has the delivery', async () => {
    const slow = await storeClaimed();
    const second = await claimDelivery(table, slow.id, 'due', graceIsOver);

    await settleDelivery(table, slow, { status: 'delivered', attempts: [attempt] }, graceIsOver);

    expect(await getDelivery(table, slow.id, now)).toEqual(second);
  });

  it('is made once', async () => {
    const claimed = await storeClaimed();
    await settleDelivery(table, claimed, { status: 'delivered', attempts: [attempt] }, now);

    const failed = { status: 'failed', attempts: [], failureReason: 'endpoint_gone' } as const;
    await settleDelivery(table, claimed, failed, now);

    expect(await getDelivery(table, claimed.id, now)).toMatchObject({ status: 'delivered' });
  });
});

describe('what is due', () => {
  it('is found by its time, with its endpoint, from the minute after it was written', async () => {
    const { id, webhookId } = await storeNew();

    expect(await findDue(webhookId, graceIsOver - 1)).toEqual([]);
    expect(await findDue(webhookId, graceIsOver)).toEqual([{ id, webhookId, dueAt: graceIsOver }]);
  });

  it('is found while an attempt is under way, since that one may die', async () => {
    const { id, webhookId } = await storeClaimed();

    expect(await findDue(webhookId, graceIsOver)).toMatchObject([{ id }]);
  });

  it('is found over several pages, each once, oldest first in each shard', async () => {
    const webhookId = newWebhookId(newOrganizationId());
    const deliveries = Array.from({ length: 900 }, (_, index) =>
      buildDelivery({ webhookId, createdAt: now - (index % 97) }),
    );
    for (let start = 0; start < 900; start += 100) {
      await store(...deliveries.slice(start, start + 100));
    }

    const found = await findDue(webhookId, graceIsOver);

    expect(found.map(({ id }) => id).toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted());
    const pages = await Promise.all(
      Array.from({ length: dueShards }, (_, shard) =>
        findDueDeliveries(table, shard, graceIsOver, undefined),
      ),
    );
    expect(pages.some(({ next }) => next !== undefined)).toBe(true);
    for (const { entries } of pages) {
      const times = entries.map(({ dueAt }) => dueAt);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    }
  });
});
