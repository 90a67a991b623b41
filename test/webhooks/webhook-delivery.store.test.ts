import { describe, expect, it } from 'vitest';
import { toSeconds } from '#shared/table/expiry';
import { attemptDelivery, type Delivering } from '#shared/webhook-deliveries/attempt-delivery';
import { leaseMs } from '#shared/webhook-deliveries/delivery';
import { dyingTable } from '../support/disturbed-table.ts';
import { openStoreTable } from '../support/store-table.ts';
import { expectNoneLost } from './flaky-deliveries.ts';
import { answer, answerSlowly } from './flaky-receiver.ts';
import { createReceivingWorld, onlyOf, readDeliveries } from './receiving-world.ts';

const table = openStoreTable();
const minute = 60_000;
const died = () => Promise.reject(new Error('died'));

// 700 events are delivered in `many-deliveries.test.ts`, from the table in memory.
describe('30 events to a receiver that fails every other time at random', () => {
  it('are each delivered within the attempts or listed as failed with the reason', async () => {
    await expectNoneLost(table, { events: 30, failureRate: 0.5 });
  });
});

describe('a delivery', () => {
  it('is made once when the queue delivers its message twice, and again from the dead letters after a run', async () => {
    const world = await createReceivingWorld(table, answer(200));
    const delivery = onlyOf(await world.deliverEvents(1, [world.endpoint]));
    const deliver = () => attemptDelivery(delivery, 'first', world.delivering);

    const results = await Promise.all([deliver(), deliver()]);
    world.advance(2 * minute);
    await world.run();
    const redriven = await deliver();

    expect([...results.toSorted(), redriven]).toEqual(['delivered', 'not_claimed', 'not_claimed']);
    expect(world.receiver.accepted).toHaveLength(1);
  });

  it('whose message was lost is made by the run, a minute later, and not again once its message is found', async () => {
    const world = await createReceivingWorld(table, answer(200));
    const delivery = onlyOf(await world.deliverEvents(1, [world.endpoint]));

    await world.run();
    const early = world.receiver.calls();
    world.advance(minute);
    await world.run();
    const late = await attemptDelivery(delivery, 'first', world.delivering);

    expect([early, late]).toEqual([0, 'not_claimed']);
    expect(world.receiver.accepted).toHaveLength(1);
  });

  it('is made once by runs that overlap', async () => {
    const world = await createReceivingWorld(table, answerSlowly(20));
    const stored = await world.deliverEvents(20, [world.endpoint]);
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

  it.each<[string, number, (delivering: Delivering) => Delivering]>([
    ['before the POST', 1, (alive) => ({ ...alive, posting: { ...alive.posting, post: died } })],
    ['after the POST', 2, (alive) => ({ ...alive, table: dyingTable(2) })],
  ])(
    'whose process died %s is made when the lease has expired, under the same id: %i in all',
    async (_when, posts, dying) => {
      const world = await createReceivingWorld(table, answer(200));
      const delivery = onlyOf(await world.deliverEvents(1, [world.endpoint]));

      const dead = attemptDelivery(delivery, 'first', dying(world.delivering));
      await expect(dead).rejects.toThrow();
      world.advance(leaseMs + minute);
      await world.run();

      const [row] = await readDeliveries(table, [delivery]);
      expect(row).toMatchObject({ status: 'delivered', attemptsStarted: 2 });
      expect(row?.attempts.map(({ error }) => error)).toEqual(['interrupted', undefined]);
      expect(world.receiver.accepted).toEqual(Array(posts).fill(delivery.messageId));
    },
  );
});
