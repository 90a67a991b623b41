import { describe, expect, it } from 'vitest';
import type { DeliveryId } from '#shared/tokens/resource-id';
import type { AttemptResult } from '#shared/webhooks/attempt-delivery';
import { perEndpoint } from '#shared/webhooks/due-backlog';
import type { DueEntry } from '#shared/webhooks/due-delivery-store';
import { concurrency, runDueDeliveries } from '#shared/webhooks/run-due-deliveries';
import { buildDelivery, buildWebhook } from './webhook-builder.ts';

const dueTo = (webhookId = buildWebhook().id): DueEntry => {
  const { id, dueAt } = buildDelivery({ webhookId });
  return { id, webhookId, dueAt };
};

/** Prepares a run over the entries of one shard. The test moves its clock; the deadline is at 1,000. */
function prepareRun(
  entries: readonly DueEntry[],
  attempt: (id: DeliveryId, clock: { now: number }) => Promise<AttemptResult>,
) {
  const clock = { now: 0 };
  const attempted: DeliveryId[] = [];
  const failures: DeliveryId[] = [];
  const run = () =>
    runDueDeliveries(1_000, {
      now: () => clock.now,
      shards: 1,
      readDuePage: async () => ({ entries, next: undefined }),
      attempt: ({ id }) => {
        attempted.push(id);
        return attempt(id, clock);
      },
      reportFailure: ({ id }) => failures.push(id),
    });
  return { run, attempted, failures, clock };
}

const idsOf = (entries: readonly DueEntry[]) => entries.map(({ id }) => id);

describe('a due run', () => {
  it('attempts everything that is due, and counts the results', async () => {
    const results: AttemptResult[] = ['delivered', 'rescheduled', 'failed', 'delivered'];
    const entries = results.map(() => dueTo());
    const { run, attempted } = prepareRun(
      entries,
      async (id) => results[idsOf(entries).indexOf(id)] ?? 'failed',
    );

    expect(await run()).toEqual({ processed: 4, delivered: 2, rescheduled: 1, failed: 1 });
    expect(attempted.toSorted()).toEqual(idsOf(entries).toSorted());
  });

  it('does not count deliveries that another run has claimed', async () => {
    const { run } = prepareRun([dueTo(), dueTo()], async () => 'not_claimed');

    expect(await run()).toEqual({ processed: 0, delivered: 0, rescheduled: 0, failed: 0 });
  });

  it('attempts many at the same time', async () => {
    let underWay = 0;
    let most = 0;
    const entries = Array.from({ length: 2 * concurrency }, () => dueTo());
    const { run } = prepareRun(entries, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return 'delivered';
    });

    await run();

    expect(most).toBe(concurrency);
  });

  it('reports a delivery that cannot be attempted, and continues with the others', async () => {
    const entries = Array.from({ length: 60 }, () => dueTo());
    const { run, failures } = prepareRun(entries, async (id) => {
      if (id === entries[0]?.id) throw new Error('malformed item');
      return 'delivered';
    });

    expect(await run()).toMatchObject({ processed: 59, delivered: 59 });
    expect(failures).toEqual([entries[0]?.id]);
  });

  it('begins nothing after its deadline', async () => {
    const entries = Array.from({ length: 2 * concurrency }, () => dueTo());
    const { run, attempted } = prepareRun(entries, async (_id, clock) => {
      clock.now = 1_000;
      return 'delivered';
    });

    const { processed } = await run();

    expect(processed).toBe(1);
    expect(attempted).toHaveLength(1);
  });

  it('begins no attempt that waited for a hanging endpoint until after the deadline', async () => {
    const { id: webhookId } = buildWebhook();
    const entries = Array.from({ length: 3 * perEndpoint }, () => dueTo(webhookId));
    const hanging = Promise.withResolvers<void>();
    const { run, attempted, clock } = prepareRun(entries, async () => {
      await hanging.promise;
      return 'rescheduled';
    });

    const result = run();
    await new Promise((resolve) => setImmediate(resolve));
    clock.now = 15_000;
    hanging.resolve();

    expect(await result).toMatchObject({ processed: perEndpoint });
    expect(attempted).toHaveLength(perEndpoint);
  });

  it('fails when the due deliveries cannot be read', async () => {
    const run = runDueDeliveries(1_000, {
      now: () => 0,
      shards: 8,
      readDuePage: () => Promise.reject(new Error('unreachable')),
      attempt: async () => 'delivered',
      reportFailure: () => {},
    });

    await expect(run).rejects.toThrow('unreachable');
  });
});
