import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { sentEventOf } from '#shared/sending/send-webhook-event';
import { deliveryKey } from '#shared/table/delivery-keys';
import type { StoredItem } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import { type DeliveryId, newWebhookId, organizationIdOf } from '#shared/tokens/resource-id';
import { claimDelivery, settleDelivery } from '#shared/webhook-deliveries/attempt-store';
import { firstAttemptGraceMs } from '#shared/webhook-deliveries/delivery';
import {
  createDeliveries,
  getDelivery,
  putDeliveries,
} from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { itemSize } from '../../bench/request-units.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { findDueTo, storeClaimedDelivery, storeDelivery } from '../../support/stored-delivery.ts';
import { buildDelivery, webhookNow as now } from '../webhooks/webhook-builder.ts';

const table = openStoreTable();
const graceIsOver = now + firstAttemptGraceMs;

async function readItem(id: DeliveryId): Promise<StoredItem> {
  const { Item = {} } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: deliveryKey(id), ConsistentRead: true }),
  );
  return Item;
}

/** As DynamoDB bills it. */
const sizeOf = async (id: DeliveryId): Promise<number> => itemSize(marshall(await readItem(id)));

describe('a delivery', () => {
  it('is read back as stored', async () => {
    const delivery = await storeDelivery(table);

    expect(await getDelivery(table, delivery.id, now)).toEqual(delivery);
  });

  it('is stored once', async () => {
    const delivery = await storeDelivery(table);

    const again = await transactWrite(table, putDeliveries([{ ...delivery, body: 'another' }]));

    expect(again.committed).toBe(false);
    expect(await getDelivery(table, delivery.id, now)).toEqual(delivery);
  });

  it("isn't found if it was never written", async () => {
    expect(await getDelivery(table, buildDelivery().id, now)).toBeUndefined();
  });

  it("isn't found from the second in which it expires", async () => {
    const delivery = await storeDelivery(table, { expiresAt: now / 1000 });

    expect(await getDelivery(table, delivery.id, now - 1)).toEqual(delivery);
    expect(await getDelivery(table, delivery.id, now)).toBeUndefined();
  });

  it('stores its id only in the key, and no empty list of attempts', async () => {
    const { id } = await storeDelivery(table);

    expect(await readItem(id)).not.toHaveProperty('id');
    expect(await readItem(id)).not.toHaveProperty('attempts');
  });
});

describe('storing deliveries one by one', () => {
  it('returns the new ones', async () => {
    const [known, ...others] = [buildDelivery(), buildDelivery(), buildDelivery()];
    await transactWrite(table, putDeliveries([known]));

    const stored = await createDeliveries(table, [known, ...others]);

    expect(stored).toEqual(others);
  });

  it('leaves existing deliveries unchanged, even after attempts', async () => {
    const claimed = await storeClaimedDelivery(table);

    const stored = await createDeliveries(table, [{ ...claimed, attemptsStarted: 0 }]);

    expect(stored).toEqual([]);
    expect(await getDelivery(table, claimed.id, now)).toEqual(claimed);
  });

  it('returns each delivery once when the same ones are stored concurrently', async () => {
    const deliveries = [buildDelivery(), buildDelivery()];

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => createDeliveries(table, deliveries)),
    );

    const stored = answers.flat().map(({ id }) => id);
    expect(stored.toSorted()).toEqual(deliveries.map(({ id }) => id).toSorted());
  });

  it('makes the deliveries due as a transaction does', async () => {
    const delivery = buildDelivery();

    await createDeliveries(table, [delivery]);

    const { id, webhookId, dueAt } = delivery;
    expect(await getDelivery(table, id, now)).toEqual(delivery);
    expect(await findDueTo(table, webhookId, graceIsOver)).toMatchObject([
      { id, webhookId, dueAt },
    ]);
  });

  it('makes no request for none', async () => {
    expect(await createDeliveries(table, [])).toEqual([]);
  });
});

describe("a typical event's delivery", () => {
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
    await transactWrite(table, putDeliveries([delivery]));
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
