import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebhookPoster } from '#shared/webhook-deliveries/webhook-poster';
import { newWebhookSecret } from '#shared/webhooks/signature';
import { openMemoryTable } from '../support/memory-table/memory-table.ts';
import { patience } from '../support/patience.ts';
import { expectNoneLost } from './flaky-deliveries.ts';
import { answer, hang, startReceiver } from './flaky-receiver.ts';
import { createReceivingWorld } from './receiving-world.ts';

describe('700 events to a receiver that fails 40% at random', () => {
  it('are each delivered within the attempts or listed as failed with the reason', async () => {
    await expectNoneLost(openMemoryTable().table, { events: 700, failureRate: 0.4 });
  });
});

describe('an endpoint', () => {
  it('that hangs holds up no other: the others get theirs while it still hangs', async () => {
    const world = await createReceivingWorld(openMemoryTable().table, answer(200));
    // The dead one never answers, so its posts may end soon.
    const impatient = createWebhookPoster({ allowLoopbackHttp: true }, 20);
    const silent = await startReceiver(newWebhookSecret(), hang);
    onTestFinished(silent.stop);
    const dead = await world.addEndpoint(silent.url);
    await world.deliverEvents(120, [world.endpoint]);
    await world.deliverEvents(20, [dead]);
    world.advance(60_000);
    const held = Promise.withResolvers<void>();

    const run = world.run({
      post: async (post) => {
        if (post.url !== silent.url) return world.delivering.posting.post(post);
        await held.promise;
        return impatient(post);
      },
    });
    const others = expect.poll(() => world.receiver.accepted.length, patience).toBe(120);
    await others.finally(held.resolve);
    const callsToDead = silent.calls();
    await run;

    expect(callsToDead).toBe(0);
  });
});
