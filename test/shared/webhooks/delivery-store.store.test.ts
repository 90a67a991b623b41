import { describe, expect, it } from 'vitest';
import { dueShards } from '#shared/table/keys';
import type { StoredItem } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import { newOrganizationId, newWebhookId, type WebhookId } from '#shared/tokens/resource-id';
import { type Delivery, firstAttemptGraceMs, leaseMs } from '#shared/webhooks/delivery';
import {
  claimDelivery,
  type DueEntry,
  findDueDeliveries,
  getDelivery,
  putDeliveries,
  settleDelivery,
} from '#shared/webhooks/delivery-store';
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

    expect(await getDelivery(table, delivery.id)).toEqual(delivery);
  });

  it('is stored once', async () => {
    const delivery = await storeNew();

    const again = await transactWrite(
      table,
      putDeliveries(table, [{ ...delivery, body: 'another' }]),
    );

    expect(again.committed).toBe(false);
    expect(await getDelivery(table, delivery.id)).toEqual(delivery);
  });

  it('that was never written is not there', async () => {
    expect(await getDelivery(table, buildDelivery().id)).toBeUndefined();
  });
});

describe('a claim', () => {
  it('counts the attempt and holds the delivery for half a minute', async () => {
    const delivery = await storeNew();

    const claimed = await claimDelivery(table, delivery.id, 'first', now);

    const expected = { attemptsStarted: 1, leaseExpiresAt: now + leaseMs, updatedAt: now };
    expect(claimed).toEqual({ ...delivery, ...expected });
    expect(await getDelivery(table, delivery.id)).toEqual(claimed);
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

  it('is none of a delivery that is not there', async () => {
    expect(await claimDelivery(table, buildDelivery().id, 'first', now)).toBeUndefined();
  });
});

describe('a settlement', () => {
  it('of a success ends the delivery', async () => {
    const claimed = await storeClaimed();

    await settleDelivery(table, claimed, { status: 'delivered', attempts: [attempt] }, now + 9);

    const { leaseExpiresAt: _lease, ...rest } = claimed;
    expect(await getDelivery(table, claimed.id)).toEqual({
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

    expect(await getDelivery(table, claimed.id)).toMatchObject({ status: 'failed', ...outcome });
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

    expect(await getDelivery(table, slow.id)).toEqual(second);
  });

  it('is made once', async () => {
    const claimed = await storeClaimed();
    await settleDelivery(table, claimed, { status: 'delivered', attempts: [attempt] }, now);

    const failed = { status: 'failed', attempts: [], failureReason: 'endpoint_gone' } as const;
    await settleDelivery(table, claimed, failed, now);

    expect(await getDelivery(table, claimed.id)).toMatchObject({ status: 'delivered' });
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
