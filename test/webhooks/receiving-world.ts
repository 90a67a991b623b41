import { onTestFinished } from 'vitest';
import type { Table } from '#shared/table/table-client';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { newWebhookSecret } from '#shared/webhooks/signature';
import { createDeliveryWorld } from './delivery-world.ts';
import { type Behaviour, startReceiver } from './flaky-receiver.ts';

/** A world with a receiver that behaves so, until the test is over, and an endpoint that leads to it. */
export async function createReceivingWorld(table: Table, behave: Behaviour, timeoutMs?: number) {
  const world = await createDeliveryWorld(table, timeoutMs);
  const secret = newWebhookSecret();
  const receiver = await startReceiver(secret, behave);
  onTestFinished(receiver.stop);
  return { ...world, receiver, endpoint: await world.addEndpoint(receiver.url, secret) };
}

/** Reads a hundred at a time, because a read that waits for a socket counts as a failed connection. */
export async function readDeliveries(table: Table, deliveries: readonly Delivery[]) {
  const rows: (Delivery | undefined)[] = [];
  for (let first = 0; first < deliveries.length; first += 100) {
    const batch = deliveries.slice(first, first + 100);
    rows.push(...(await Promise.all(batch.map(({ id }) => getDelivery(table, id, Date.now())))));
  }
  return rows;
}

export function onlyOf(deliveries: readonly Delivery[]): Delivery {
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('Nothing was stored');
  return delivery;
}
