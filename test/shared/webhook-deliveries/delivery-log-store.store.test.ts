import { describe, expect, it } from 'vitest';
import { deliveryLogIndexKey } from '#shared/table/delivery-keys';
import { deliveryIdOf, newDeliveryId } from '#shared/tokens/delivery-id';
import {
  feedbackIdOf,
  newNonce,
  newOrganizationId,
  newWebhookId,
  newWebhookMessageId,
  organizationIdOf,
  type SendId,
  sendIdOf,
  slotIdOf,
  type WebhookId,
} from '#shared/tokens/resource-id';
import { claimDelivery } from '#shared/webhook-deliveries/attempt-store';
import { type Delivery, redeliveryOf } from '#shared/webhook-deliveries/delivery';
import {
  findLogEntries,
  getDeliveries,
  type LogPosition,
  readDeliveryLog,
} from '#shared/webhook-deliveries/delivery-log-store';
import { createDelivery, getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { openStoreTable } from '../../support/store-table.ts';
import { storeDeliveries } from '../../support/stored-delivery.ts';
import { buildDelivery, webhookNow as now } from '../webhooks/webhook-builder.ts';

const table = openStoreTable();

/** Stores deliveries of one webhook, several at the same time, and returns them newest first. */
async function storeLog(count: number): Promise<{ webhookId: WebhookId; log: Delivery[] }> {
  const webhookId = newWebhookId(newOrganizationId());
  const deliveries = Array.from({ length: count }, (_, index) =>
    buildDelivery({ webhookId, createdAt: now + Math.floor(index / 3) }),
  );
  await storeDeliveries(table, deliveries);
  return { webhookId, log: deliveries.sort(newestFirst) };
}

const sortKeyOf = ({ webhookId, id, createdAt }: Delivery) =>
  deliveryLogIndexKey(webhookId, id, createdAt).gsi2sk;

const newestFirst = (one: Delivery, other: Delivery) =>
  sortKeyOf(one) < sortKeyOf(other) ? 1 : -1;

const idsOf = (deliveries: readonly { id: string }[]) => deliveries.map(({ id }) => id);

describe("a webhook's log", () => {
  it('is read completely from all shards, newest first, in pages', async () => {
    const { webhookId, log } = await storeLog(70);

    const read: Delivery[] = [];
    let before: LogPosition | undefined;
    do {
      const page = await readDeliveryLog(table, { webhookId, limit: 20, before }, now);
      read.push(...page.deliveries);
      before = page.next;
    } while (before !== undefined);

    expect(read).toEqual(log);
  });

  it('keeps its order while new deliveries are stored', async () => {
    const { webhookId, log } = await storeLog(10);
    const first = await readDeliveryLog(table, { webhookId, limit: 4 }, now);

    await createDelivery(table, buildDelivery({ webhookId, createdAt: now + 1_000 }));
    const second = await readDeliveryLog(table, { webhookId, limit: 6, before: first.next }, now);

    expect([...first.deliveries, ...second.deliveries]).toEqual(log);
    expect(second.next).toBeUndefined();
  });

  it('is empty for a webhook without deliveries', async () => {
    const webhookId = newWebhookId(newOrganizationId());

    expect(await readDeliveryLog(table, { webhookId, limit: 20 }, now)).toEqual({
      deliveries: [],
      next: undefined,
    });
  });

  it("contains no other webhook's deliveries, from the same organization or another", async () => {
    const { webhookId } = await storeLog(3);
    const sibling = newWebhookId(organizationIdOf(webhookId));

    expect(await findLogEntries(table, sibling, undefined, 10)).toEqual([]);
  });

  it('keeps the position of a delivery that is attempted', async () => {
    const { webhookId, log } = await storeLog(6);
    const last = log.at(-1);

    await claimDelivery(table, last?.id ?? buildDelivery().id, 'first', now + 5_000);

    const entries = await findLogEntries(table, webhookId, undefined, 10);
    expect(idsOf(entries)).toEqual(idsOf(log));
  });
});

describe('the deliveries about one send', () => {
  it('are found newest first, for one webhook only, with their repetitions', async () => {
    const organizationId = newOrganizationId();
    const [webhookId, sibling] = [newWebhookId(organizationId), newWebhookId(organizationId)];
    const slotId = slotIdOf(organizationId, 'welcome-ann');
    // From an earlier send in the slot: its rows may still exist.
    const [sendId, earlier] = [sendIdOf(slotId, newNonce()), sendIdOf(slotId, newNonce())];
    const deliveryOf = (of: SendId, endpoint: WebhookId, createdAt: number): Delivery => {
      const delivery = buildDelivery({ webhookId: endpoint, createdAt });
      return { ...delivery, id: deliveryIdOf(feedbackIdOf(of), delivery.messageId, endpoint) };
    };
    const reported = [0, 1, 2].map((second) => deliveryOf(sendId, webhookId, now + second));
    const [first = buildDelivery()] = reported;
    const repeated = redeliveryOf(first, newDeliveryId(first.id), now + 3);
    const others = [deliveryOf(sendId, sibling, now), deliveryOf(earlier, webhookId, now)];
    await storeDeliveries(table, [...others, ...reported, repeated]);

    const page = await readDeliveryLog(table, { webhookId, sendId, limit: 3 }, now);
    const rest = await readDeliveryLog(
      table,
      { webhookId, sendId, limit: 3, before: page.next },
      now,
    );

    expect(page.deliveries).toEqual([repeated, reported[2], reported[1]]);
    expect(rest).toEqual({ deliveries: [first], next: undefined });
  });
});

describe('reading deliveries', () => {
  it('reads a hundred at once, and skips unknown ones', async () => {
    const { log } = await storeLog(99);

    const found = await getDeliveries(table, [...log.map(({ id }) => id), buildDelivery().id], now);

    expect([...found.values()]).toEqual(log);
  });

  it('leaves out expired deliveries', async () => {
    const kept = buildDelivery({ expiresAt: now / 1000 + 1 });
    const expired = buildDelivery({ webhookId: kept.webhookId, expiresAt: now / 1000 });
    await storeDeliveries(table, [kept, expired]);

    const log = await readDeliveryLog(table, { webhookId: kept.webhookId, limit: 2 }, now);

    expect(log.deliveries).toEqual([kept]);
  });

  it('makes no request for none', async () => {
    expect(await getDeliveries(table, [], now)).toEqual(new Map());
  });
});

describe("a webhook's test delivery", () => {
  it('is stored, logged and due like any delivery', async () => {
    const webhookId = newWebhookId(newOrganizationId());
    const messageId = newWebhookMessageId(organizationIdOf(webhookId));
    const id = deliveryIdOf(webhookId, messageId, webhookId);
    const delivery = { ...buildDelivery({ webhookId }), id, messageId };

    await createDelivery(table, delivery);

    expect(await getDelivery(table, id, now)).toEqual(delivery);
    expect(idsOf(await findLogEntries(table, webhookId, undefined, 10))).toEqual([id]);
    expect(await claimDelivery(table, id, 'due', delivery.dueAt)).toMatchObject({ id });
  });

  it('is never overwritten', async () => {
    const delivery = buildDelivery();
    await createDelivery(table, delivery);

    await expect(createDelivery(table, delivery)).rejects.toThrow();
  });
});
