import { describe, expect, it } from 'vitest';
import { toSeconds } from '#shared/table/expiry';
import { attemptDelivery } from '#shared/webhooks/attempt-delivery';
import { type Delivery, leaseMs } from '#shared/webhooks/delivery';
import { createSeededRandom } from '../support/seeded-random.ts';
import { openStoreTable } from '../support/store-table.ts';
import { answer, answerSlowly, hang, reset } from './flaky-receiver.ts';
import { createReceivingWorld, onlyOf, readDeliveries } from './receiving-world.ts';

const table = openStoreTable();
const minute = 60_000;
const hour = 60 * minute;

describe('400 events to a receiver that fails every other time at random', () => {
  it('are each delivered within the attempts or listed as failed with the reason', async () => {
    const { next: random } = createSeededRandom(20_261_120);
    const errors = [answer(500), reset, answer(302, { location: '/elsewhere' })];
    // One fault in ten hangs: each costs the test two seconds.
    const faults = [...errors, ...errors, ...errors, hang];
    // One event in thirty-two meets five faults: then its attempts are used up.
    const world = await createReceivingWorld(
      table,
      (response, call) => {
        if (random() < 0.5) faults[Math.floor(random() * faults.length)]?.(response, call);
        else if (random() < 0.05) answerSlowly(50)(response, call);
        else answer(204)(response, call);
      },
      2_000,
    );
    const stored = await world.deliverEvents(400, [world.endpoint]);

    for (let round = 0; round < 6; round += 1) {
      world.advance(hour + minute);
      await world.run();
    }

    const rows = await readDeliveries(table, stored);
    const delivered = rows.filter((row) => row?.status === 'delivered');
    const failed = rows.filter((row) => row?.status === 'failed');
    expect(delivered.length + failed.length).toBe(400);
    expect(delivered.length).toBeGreaterThan(360);
    for (const row of failed) {
      expect(row).toMatchObject({ failureReason: 'attempts_exhausted', attemptsStarted: 5 });
    }
    expect(world.receiver.refused).toEqual([]);
    // Delivery is at least once: a message whose answer came too late is delivered again.
    const accepted = new Set(world.receiver.accepted);
    const unheard = (row: Delivery | undefined) =>
      row?.attempts.filter(({ error }) => error === 'timeout').length ?? 0;
    expect(delivered.filter((row) => row && !accepted.has(row.messageId))).toEqual([]);
    for (const row of failed) {
      if (row && accepted.has(row.messageId)) expect(unheard(row)).toBeGreaterThan(0);
    }
    const mostAccepted = delivered.length + rows.reduce((sum, row) => sum + unheard(row), 0);
    expect(world.receiver.accepted.length).toBeLessThanOrEqual(mostAccepted);
  }, 600_000);
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
