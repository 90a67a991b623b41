import { isIP } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toSeconds } from '#shared/table/expiry';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { attemptDelivery } from '#shared/webhooks/attempt-delivery';
import { type Delivery, leaseMs, redeliveryOf } from '#shared/webhooks/delivery';
import { getDelivery } from '#shared/webhooks/delivery-store';
import { openRedeliveryStore } from '#shared/webhooks/redelivery-store';
import { newWebhookSecret } from '#shared/webhooks/signature';
import { createWebhookPoster } from '#shared/webhooks/webhook-poster';
import { getWebhook } from '#shared/webhooks/webhook-store';
import { patience } from '../support/patience.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { openStoreTable } from '../support/store-table.ts';
import { createDeliveryWorld } from './delivery-world.ts';
import {
  answer,
  answerSlowly,
  type Behaviour,
  hang,
  reset,
  startReceiver,
} from './flaky-receiver.ts';

const table = openStoreTable();
const minute = 60_000;
const hour = 60 * minute;

async function createWorld(behave: Behaviour, timeoutMs?: number) {
  const world = await createDeliveryWorld(table, timeoutMs);
  const secret = newWebhookSecret();
  const receiver = await startReceiver(secret, behave);
  onTestFinished(receiver.stop);
  return { ...world, receiver, endpoint: await world.addEndpoint(receiver.url, secret) };
}

/** Reads a hundred at a time, because a read that waits for a socket counts as a failed connection. */
async function read(deliveries: readonly Delivery[]) {
  const rows: (Delivery | undefined)[] = [];
  for (let first = 0; first < deliveries.length; first += 100) {
    const batch = deliveries.slice(first, first + 100);
    rows.push(...(await Promise.all(batch.map(({ id }) => getDelivery(table, id, Date.now())))));
  }
  return rows;
}

const only = (deliveries: readonly Delivery[]): Delivery => {
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('Nothing was stored');
  return delivery;
};

describe('400 events to a receiver that fails every other time at random', () => {
  it('are each delivered within the attempts or listed as failed with the reason', async () => {
    const { next: random } = createSeededRandom(20_261_120);
    const errors = [answer(500), reset, answer(302, { location: '/elsewhere' })];
    // One fault in ten hangs: each costs the test two seconds.
    const faults = [...errors, ...errors, ...errors, hang];
    // One event in thirty-two meets five faults: then its attempts are used up.
    const world = await createWorld((response, call) => {
      if (random() < 0.5) faults[Math.floor(random() * faults.length)]?.(response, call);
      else if (random() < 0.05) answerSlowly(50)(response, call);
      else answer(204)(response, call);
    }, 2_000);
    const stored = await world.deliverEvents(400, [world.endpoint]);

    for (let round = 0; round < 6; round += 1) {
      world.advance(hour + minute);
      await world.run();
    }

    const rows = await read(stored);
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
    const world = await createWorld(answer(200));
    const delivery = only(await world.deliverEvents(1, [world.endpoint]));

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
    const world = await createWorld(answer(200));
    await world.deliverEvents(1, [world.endpoint]);

    await world.run();
    const early = world.receiver.calls();
    world.advance(minute);
    await world.run();

    expect(early).toBe(0);
    expect(world.receiver.accepted).toHaveLength(1);
  });

  it('is made once by runs that overlap', async () => {
    const world = await createWorld(answerSlowly(20));
    const stored = await world.deliverEvents(60, [world.endpoint]);
    world.advance(minute);

    await Promise.all([world.run(), world.run(), world.run()]);

    expect(world.receiver.accepted).toHaveLength(stored.length);
    expect(new Set(world.receiver.accepted).size).toBe(stored.length);
  });

  it('that is expired is not made, even while the table still has it', async () => {
    const world = await createWorld(answer(200));
    const inTwoMinutes = toSeconds(world.now() + 2 * minute);
    const delivery = only(await world.deliverEvents(1, [world.endpoint], inTwoMinutes));
    world.advance(2 * minute);

    const result = await attemptDelivery(delivery, 'first', world.delivering);
    await world.run();

    expect(result).toBe('not_claimed');
    expect(world.receiver.calls()).toBe(0);
  });

  it('whose process died before the POST is made when the lease has expired', async () => {
    const world = await createWorld(answer(200));
    const delivery = only(await world.deliverEvents(1, [world.endpoint]));
    const dead = { post: () => Promise.reject(new Error('died')) };

    await expect(
      attemptDelivery(delivery, 'first', { ...world.delivering, ...dead }),
    ).rejects.toThrow('died');
    world.advance(leaseMs + minute);
    await world.run();

    const [row] = await read([delivery]);
    expect(row).toMatchObject({ status: 'delivered', attemptsStarted: 2 });
    expect(row?.attempts.map(({ error }) => error)).toEqual(['interrupted', undefined]);
    expect(world.receiver.accepted).toHaveLength(1);
  });

  it('whose process died after the POST is made again under the same webhook-id', async () => {
    const world = await createWorld(answer(200));
    const delivery = only(await world.deliverEvents(1, [world.endpoint]));
    const { attempts } = world.delivering;
    const dead = { attempts: { ...attempts, settle: () => Promise.reject(new Error('died')) } };

    await expect(
      attemptDelivery(delivery, 'first', { ...world.delivering, ...dead }),
    ).rejects.toThrow('died');
    world.advance(leaseMs + minute);
    await world.run();

    const [row] = await read([delivery]);
    expect(row?.status).toBe('delivered');
    expect(world.receiver.accepted).toEqual([delivery.messageId, delivery.messageId]);
  });
});

describe('an endpoint whose name leads to a private address', () => {
  const nowhere = ['10.0.0.1', '127.0.0.1', '169.254.169.254', '64:ff9b::a9fe:a9fe', '::7f00:1'];

  it('is never connected to, and the log of attempts says why', async () => {
    const world = await createDeliveryWorld(table);
    const endpoint = await world.addEndpoint('https://rebound.example.com/hook');
    const delivery = only(await world.deliverEvents(1, [endpoint]));
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

    const [row] = await read([delivery]);
    expect(row).toMatchObject({ status: 'failed', failureReason: 'attempts_exhausted' });
    expect(row?.attempts.map(({ error }) => error)).toEqual(nowhere.map(() => 'blocked_address'));
  });
});

describe('an endpoint', () => {
  it('that hangs holds up no other: the others get theirs while it still hangs', async () => {
    const world = await createWorld(answer(200));
    const impatient = createWebhookPoster({ allowLoopbackHttp: true }, 300);
    const silent = await startReceiver(newWebhookSecret(), hang);
    onTestFinished(silent.stop);
    const dead = await world.addEndpoint(silent.url);
    await world.deliverEvents(120, [world.endpoint]);
    await world.deliverEvents(20, [dead]);
    world.advance(minute);
    const held = Promise.withResolvers<void>();

    const run = world.run({
      post: async (post) => {
        if (post.url !== silent.url) return world.delivering.post(post);
        await held.promise;
        return impatient(post);
      },
    });
    const others = expect.poll(() => world.receiver.accepted.length, patience).toBe(120);
    await others.finally(held.resolve);
    const callsToDead = silent.calls();
    await run;

    expect(callsToDead).toBe(0);
  }, 120_000);

  it('that is slow gets its first attempts from the run, which loses none of them', async () => {
    const world = await createWorld(answer(200));
    const delivery = only(await world.deliverEvents(1, [world.endpoint]));
    for (let answers = 0; answers < 30; answers += 1) {
      await world.delivering.webhooks.noteSlowness(world.endpoint.id, world.now());
    }

    const result = await attemptDelivery(delivery, 'first', world.delivering);
    const early = world.receiver.calls();
    world.advance(minute);
    await world.run();

    const [row] = await read([delivery]);
    expect(result).toBe('postponed');
    expect(early).toBe(0);
    expect(row).toMatchObject({ status: 'delivered', attemptsStarted: 1 });
    expect(world.receiver.accepted).toHaveLength(1);
  });

  it('that answers 410 is disabled, and its further deliveries fail with that reason', async () => {
    const world = await createWorld(answer(410));
    const stored = await world.deliverEvents(1, [world.endpoint]);
    world.advance(minute);
    await world.run();
    const later = await world.deliverEvents(1, [world.endpoint]);
    world.advance(minute);

    await world.run();

    const webhook = await getWebhook(table, world.endpoint.id);
    expect(webhook?.disabled?.reason).toBe('gone');
    const rows = await read([...stored, ...later]);
    expect(rows.map((row) => row?.failureReason)).toEqual(['endpoint_gone', 'endpoint_disabled']);
    expect(world.receiver.calls()).toBe(1);
  });

  it('that exhausts ten deliveries within five days and more is disabled, with reason and time', async () => {
    const world = await createWorld(answer(503));
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
    const world = await createWorld(answer(410));
    const original = only(await world.deliverEvents(1, [world.endpoint]));
    world.advance(minute);
    await world.run();
    const disabled = await getWebhook(table, world.endpoint.id);
    const redelivery = redeliveryOf(original, newDeliveryId(original.id), world.now());
    await openRedeliveryStore(table).putFirst(original, redelivery);
    world.advance(minute);

    await world.run();

    const [row] = await read([redelivery]);
    expect(row).toMatchObject({ status: 'failed', failureReason: 'endpoint_gone' });
    expect(world.receiver.calls()).toBe(2);
    expect(await getWebhook(table, world.endpoint.id)).toEqual(disabled);
  });
});
