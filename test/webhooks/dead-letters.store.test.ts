import { describe, expect, it, onTestFinished } from 'vitest';
import { attemptDelivery } from '#shared/webhook-deliveries/attempt-delivery';
import { newWebhookSecret } from '#shared/webhooks/signature';
import { openStoreTable } from '../support/store-table.ts';
import { createDeliveryWorld } from './delivery-world.ts';
import { answer, startReceiver } from './flaky-receiver.ts';

/** Three deliveries whose messages ended in the dead letters, as deliver-webhooks failed on each of them. */
async function createWorld() {
  const world = await createDeliveryWorld(openStoreTable());
  const secret = newWebhookSecret();
  const receiver = await startReceiver(secret, answer(200));
  onTestFinished(receiver.stop);
  const webhook = await world.addEndpoint(receiver.url, secret);
  const deliveries = await world.deliverEvents(3, [webhook]);
  const deadLetters = deliveries.map(({ id, webhookId }) => ({ id, webhookId }));
  return {
    receiver,
    expected: deliveries.map(({ messageId }) => messageId).toSorted(),
    runSchedule: () => {
      world.advance(61_000);
      return world.run();
    },
    /** The redrive brings the messages back to the queue of first attempts. */
    redrive: () =>
      Promise.all(
        deadLetters.map((delivery) => attemptDelivery(delivery, 'first', world.delivering)),
      ),
  };
}

describe('the dead letters of the webhook queue', () => {
  it('are purged without loss: the schedule makes the attempts', async () => {
    const { receiver, expected, runSchedule } = await createWorld();

    await runSchedule();

    expect(receiver.accepted.toSorted()).toEqual(expected);
  });

  it('are redriven without loss, also before the schedule has made the attempts', async () => {
    const { receiver, expected, redrive, runSchedule } = await createWorld();

    await redrive();
    await runSchedule();

    expect(receiver.accepted.toSorted()).toEqual(expected);
  });

  it('repeat no delivery when they are redriven after the schedule has made the attempts', async () => {
    const { receiver, expected, redrive, runSchedule } = await createWorld();
    await runSchedule();

    await redrive();

    expect(receiver.accepted.toSorted()).toEqual(expected);
  });
});
