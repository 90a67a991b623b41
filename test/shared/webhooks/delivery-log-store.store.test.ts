import { describe, expect, it } from 'vitest';
import { deliveryLogIndexKey } from '#shared/table/keys';
import { transactWrite } from '#shared/table/transact-write';
import {
  deliveryIdOf,
  newOrganizationId,
  newWebhookId,
  newWebhookMessageId,
  organizationIdOf,
  type WebhookId,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import {
  type LogDependencies,
  type LogPosition,
  readDeliveryLog,
} from '#shared/webhooks/delivery-log';
import { findLogEntries, getDeliveries, putNewDelivery } from '#shared/webhooks/delivery-log-store';
import { claimDelivery, getDelivery, putDeliveries } from '#shared/webhooks/delivery-store';
import { openStoreTable } from '../../support/store-table.ts';
import { buildDelivery, webhookNow as now } from './webhook-builder.ts';

const table = openStoreTable();

/** Stores deliveries of one endpoint, several to a moment, and answers them newest first. */
async function storeLog(count: number): Promise<{ webhookId: WebhookId; log: Delivery[] }> {
  const webhookId = newWebhookId(newOrganizationId());
  const deliveries = Array.from({ length: count }, (_, index) =>
    buildDelivery({ webhookId, createdAt: now + Math.floor(index / 3) }),
  );
  for (let start = 0; start < count; start += 100) {
    await transactWrite(table, putDeliveries(table, deliveries.slice(start, start + 100)));
  }
  return { webhookId, log: deliveries.sort(newestFirst) };
}

const sortKeyOf = ({ webhookId, id, createdAt }: Delivery) =>
  deliveryLogIndexKey(webhookId, id, createdAt).gsi2sk;

const newestFirst = (one: Delivery, other: Delivery) =>
  sortKeyOf(one) < sortKeyOf(other) ? 1 : -1;

const dependencies: LogDependencies = {
  now: () => now,
  findLogEntries: (...page) => findLogEntries(table, ...page),
  getDeliveries: (...wanted) => getDeliveries(table, ...wanted),
};

const idsOf = (deliveries: readonly { id: string }[]) => deliveries.map(({ id }) => id);

describe("an endpoint's log", () => {
  it('names its newest deliveries over all shards, newest first', async () => {
    const { webhookId, log } = await storeLog(50);

    const entries = await findLogEntries(table, webhookId, undefined, 30);

    expect(idsOf(entries)).toEqual(idsOf(log.slice(0, 30)));
  });

  it('goes on before a position', async () => {
    const { webhookId, log } = await storeLog(50);
    const first = await findLogEntries(table, webhookId, undefined, 30);

    const second = await findLogEntries(table, webhookId, first.at(-1)?.position, 30);

    expect(idsOf(second)).toEqual(idsOf(log.slice(30)));
  });

  it.each([7, 20, 100])('is read whole in pages of %d', async (limit) => {
    const { webhookId, log } = await storeLog(130);

    const read: Delivery[] = [];
    let before: LogPosition | undefined;
    do {
      const page = await readDeliveryLog({ webhookId, limit, before }, dependencies);
      read.push(...page.deliveries);
      before = page.next;
    } while (before !== undefined);

    expect(read).toEqual(log);
  });

  it('stays in its order while new deliveries are made', async () => {
    const { webhookId, log } = await storeLog(10);
    const first = await readDeliveryLog({ webhookId, limit: 4 }, dependencies);

    await putNewDelivery(table, buildDelivery({ webhookId, createdAt: now + 1_000 }));
    const second = await readDeliveryLog({ webhookId, limit: 6, before: first.next }, dependencies);

    expect([...first.deliveries, ...second.deliveries]).toEqual(log);
    expect(second.next).toBeUndefined();
  });

  it('is empty of an endpoint that was told nothing', async () => {
    const webhookId = newWebhookId(newOrganizationId());

    expect(await readDeliveryLog({ webhookId, limit: 20 }, dependencies)).toEqual({
      deliveries: [],
      next: undefined,
    });
  });

  it("has no other endpoint's deliveries, of the same organization or another", async () => {
    const { webhookId } = await storeLog(3);
    const sibling = newWebhookId(organizationIdOf(webhookId));

    expect(await findLogEntries(table, sibling, undefined, 10)).toEqual([]);
  });

  it('keeps the place of a delivery that is attempted', async () => {
    const { webhookId, log } = await storeLog(6);
    const last = log.at(-1);

    await claimDelivery(table, last?.id ?? buildDelivery().id, 'first', now + 5_000);

    const entries = await findLogEntries(table, webhookId, undefined, 10);
    expect(idsOf(entries)).toEqual(idsOf(log));
  });
});

describe('reading deliveries', () => {
  it('reads a hundred at once, and leaves out what is not there', async () => {
    const { log } = await storeLog(99);

    const found = await getDeliveries(table, [...log.map(({ id }) => id), buildDelivery().id], now);

    expect([...found.values()]).toEqual(log);
  });

  it('leaves out what is expired', async () => {
    const kept = buildDelivery({ expiresAt: now / 1000 + 1 });
    const expired = buildDelivery({ expiresAt: now / 1000 });
    await transactWrite(table, putDeliveries(table, [kept, expired]));

    const found = await getDeliveries(table, [kept.id, expired.id], now);

    expect([...found.values()]).toEqual([kept]);
  });

  it('asks nobody for none', async () => {
    expect(await getDeliveries(table, [], now)).toEqual(new Map());
  });
});

describe('a test of an endpoint', () => {
  it('is stored, logged and due as any delivery', async () => {
    const webhookId = newWebhookId(newOrganizationId());
    const messageId = newWebhookMessageId(organizationIdOf(webhookId));
    const id = deliveryIdOf(webhookId, messageId, webhookId);
    const delivery = { ...buildDelivery({ webhookId }), id, messageId };

    await putNewDelivery(table, delivery);

    expect(await getDelivery(table, id, now)).toEqual(delivery);
    expect(idsOf(await findLogEntries(table, webhookId, undefined, 10))).toEqual([id]);
    expect(await claimDelivery(table, id, 'due', delivery.dueAt)).toMatchObject({ id });
  });

  it('is never overwritten', async () => {
    const delivery = buildDelivery();
    await putNewDelivery(table, delivery);

    await expect(putNewDelivery(table, delivery)).rejects.toThrow();
  });
});
