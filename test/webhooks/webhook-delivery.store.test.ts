import { describe, expect, it } from 'vitest';
import { toSeconds } from '#shared/table/expiry';
import { attemptDelivery } from '#shared/webhook-deliveries/attempt-delivery';
import { leaseMs } from '#shared/webhook-deliveries/delivery';
import { openStoreTable } from '../support/store-table.ts';
import { expectNoneLost } from './flaky-deliveries.ts';
import { answer, answerSlowly } from './flaky-receiver.ts';
import { createReceivingWorld, onlyOf, readDeliveries } from './receiving-world.ts';

const table = openStoreTable();
const minute = 60_000;

// 2,000 events are delivered in `many-deliveries.test.ts`, from the table in memory.
describe('30 events to a receiver that fails every other time at random', () => {
  it('are each delivered within the attempts or listed as failed with the reason', async () => {
    await expectNoneLost(table, { events: 30, failureRate: 0.5 });
  });
});

describe('a delivery', () => {
  it('is made once when the queue delivers its message twice and a run follows', async () => {
    const world = await createReceivingWorld(table, answer(200));
    const delivery = onlyOf(await world.deliverEvents(1, [world.endpoint]));

    const results = await Promise.all([
      attemptDelivery(delivery, 'first', world.delivering),
      attemptDelivery(delivery, 'first', world.delivering),
    ]);
    world.advance(2 * minute);
    await world.run();

    expect(results.toSorted()).toEqual(['delivered', 'not_claimed']);
    expect(world.receiver.accepted).toHaveLength(1);
  });

  it('whose message was lost is made by the run, a minute later', async () => {
    const world = await createReceivingWorld(table, answer(200));
    await world.deliverEvents(1, [world.endpoint]);

    await world.run();
    const early = world.receiver.calls();
    world.advance(minute);
    await world.run();

    expect(early).toBe(0);
    expect(world.receiver.accepted).toHaveLength(1);
  });

  it('is made once by runs that overlap', async () => {
    const world = await createReceivingWorld(table, answerSlowly(20));
    const stored = await world.deliverEvents(60, [world.endpoint]);
    world.advance(minute);

    await Promise.all([world.run(), world.run(), world.run()]);

    expect(world.receiver.accepted).toHaveLength(stored.length);
    expect(new Set(world.receiver.accepted).size).toBe(stored.length);
  });

  it('that is expired is not made, even while the table still has it', async () => {
    const world = await createReceivingWorld(table, answer(200));
    const inTwoMinutes = toSeconds(world.now() + 2 * minute);
    const delivery = onlyOf(await world.deliverEvents(1, [world.endpoint], inTwoMinutes));
    world.advance(2 * minute);

    const result = await attemptDelivery(delivery, 'first', world.delivering);
    await world.run();

    expect(result).toBe('not_claimed');
    expect(world.receiver.calls()).toBe(0);
  });

  it('whose process died before the POST is made when the lease has expired', async () => {
    const world = await createReceivingWorld(table, answer(200));
    const delivery = onlyOf(await world.deliverEvents(1, [world.endpoint]));
    const dead = { post: () => Promise.reject(new Error('died')) };

    await expect(
      attemptDelivery(delivery, 'first', { ...world.delivering, ...dead }),
    ).rejects.toThrow('died');
    world.advance(leaseMs + minute);
    await world.run();

    const [row] = await readDeliveries(table, [delivery]);
    expect(row).toMatchObject({ status: 'delivered', attemptsStarted: 2 });
    expect(row?.attempts.map(({ error }) => error)).toEqual(['interrupted', undefined]);
    expect(world.receiver.accepted).toHaveLength(1);
  });

  it('whose process died after the POST is made again under the same webhook-id', async () => {
    const world = await createReceivingWorld(table, answer(200));
    const delivery = onlyOf(await world.deliverEvents(1, [world.endpoint]));
    const { attempts } = world.delivering;
    const dead = { attempts: { ...attempts, settle: () => Promise.reject(new Error('died')) } };

    await expect(
      attemptDelivery(delivery, 'first', { ...world.delivering, ...dead }),
    ).rejects.toThrow('died');
    world.advance(leaseMs + minute);
    await world.run();

    const [row] = await readDeliveries(table, [delivery]);
    expect(row?.status).toBe('delivered');
    expect(world.receiver.accepted).toEqual([delivery.messageId, delivery.messageId]);
  });
});
