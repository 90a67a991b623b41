import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { attemptDelivery } from '#shared/webhook-deliveries/attempt-delivery';
import { redeliveryOf } from '#shared/webhook-deliveries/delivery';
import { storeFirstRedelivery } from '#shared/webhook-deliveries/redelivery-store';
import { createWebhookPoster } from '#shared/webhook-deliveries/webhook-poster';
import { noteSlowness } from '#shared/webhooks/webhook-health-store';
import { getWebhook } from '#shared/webhooks/webhook-store';
import { openStoreTable } from '../support/store-table.ts';
import { createDeliveryWorld } from './delivery-world.ts';
import { answer } from './flaky-receiver.ts';
import { createReceivingWorld, onlyOf, readDeliveries } from './receiving-world.ts';

const table = openStoreTable();
const minute = 60_000;
const hour = 60 * minute;

describe('an endpoint whose name leads to a private address', () => {
  const nowhere = ['10.0.0.1', '127.0.0.1', '169.254.169.254', '64:ff9b::a9fe:a9fe', '::7f00:1'];

  it('is never connected to, and the log of attempts says why', async () => {
    const world = await createDeliveryWorld(table);
    const endpoint = await world.addEndpoint('https://rebound.example.com/hook');
    const delivery = onlyOf(await world.deliverEvents(1, [endpoint]));
    const answers = nowhere.values();
    // The name resolves to another address each time.
    const post = createWebhookPoster({ allowLoopbackHttp: false }, 500, (_name, _options, done) => {
      const address = answers.next().value ?? '';
      done(null, [{ address, family: isIP(address) }]);
    });

    for (const _attempt of nowhere) {
      world.advance(hour + minute);
      await world.run({ post });
    }

    const [row] = await readDeliveries(table, [delivery]);
    expect(row).toMatchObject({ status: 'failed', failureReason: 'attempts_exhausted' });
    expect(row?.attempts.map(({ error }) => error)).toEqual(nowhere.map(() => 'blocked_address'));
  });
});

describe('an endpoint', () => {
  it('that is slow gets its first attempts from the run, which loses none of them', async () => {
    const world = await createReceivingWorld(table, answer(200));
    const delivery = onlyOf(await world.deliverEvents(1, [world.endpoint]));
    for (let answers = 0; answers < 30; answers += 1) {
      await noteSlowness(table, world.endpoint.id, world.now());
    }

    const result = await attemptDelivery(delivery, 'first', world.delivering);
    const early = world.receiver.calls();
    world.advance(minute);
    await world.run();

    const [row] = await readDeliveries(table, [delivery]);
    expect(result).toBe('postponed');
    expect(early).toBe(0);
    expect(row).toMatchObject({ status: 'delivered', attemptsStarted: 1 });
    expect(world.receiver.accepted).toHaveLength(1);
  });

  it('that answers 410 is disabled, and its further deliveries fail with that reason', async () => {
    const world = await createReceivingWorld(table, answer(410));
    const stored = await world.deliverEvents(1, [world.endpoint]);
    world.advance(minute);
    await world.run();
    const later = await world.deliverEvents(1, [world.endpoint]);
    world.advance(minute);

    await world.run();

    const webhook = await getWebhook(table, world.endpoint.id);
    expect(webhook?.disabled?.reason).toBe('gone');
    const rows = await readDeliveries(table, [...stored, ...later]);
    expect(rows.map((row) => row?.failureReason)).toEqual(['endpoint_gone', 'endpoint_disabled']);
    expect(world.receiver.calls()).toBe(1);
  });

  it('that exhausts ten deliveries within five days and more is disabled, with reason and time', async () => {
    const world = await createReceivingWorld(table, answer(503));
    const exhaust = async (count: number) => {
      await world.deliverEvents(count, [world.endpoint]);
      world.advance(minute);
      await world.run();
      for (let attempt = 2; attempt <= 5; attempt += 1) {
        world.advance(hour);
        await world.run();
      }
    };

    await exhaust(9);
    const failing = await getWebhook(table, world.endpoint.id);
    world.advance(120 * hour);
    await exhaust(1);

    const disabled = await getWebhook(table, world.endpoint.id);
    expect(failing).toMatchObject({ health: { exhausted: 9, delivered: 0 } });
    expect(failing).not.toHaveProperty('disabled');
    expect(disabled).toMatchObject({
      health: { exhausted: 10, delivered: 0 },
      disabled: { reason: 'failing', at: world.now() },
    });
  });

  it('that is disabled gets what is redelivered, and stays as it is', async () => {
    const world = await createReceivingWorld(table, answer(410));
    const original = onlyOf(await world.deliverEvents(1, [world.endpoint]));
    world.advance(minute);
    await world.run();
    const disabled = await getWebhook(table, world.endpoint.id);
    const redelivery = redeliveryOf(original, newDeliveryId(original.id), world.now());
    await storeFirstRedelivery(table, original, redelivery);
    world.advance(minute);

    await world.run();

    const [row] = await readDeliveries(table, [redelivery]);
    expect(row).toMatchObject({ status: 'failed', failureReason: 'endpoint_gone' });
    expect(world.receiver.calls()).toBe(2);
    expect(await getWebhook(table, world.endpoint.id)).toEqual(disabled);
  });
});
