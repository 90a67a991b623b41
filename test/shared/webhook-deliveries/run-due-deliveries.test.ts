import { describe, expect, it } from 'vitest';
import type { DeliveryId } from '#shared/tokens/resource-id';
import type { AttemptResult } from '#shared/webhook-deliveries/attempt-delivery';
import type { DueEntry } from '#shared/webhook-deliveries/delivery-store';
import { firstShare } from '#shared/webhook-deliveries/endpoint-share';
import { concurrency, runDueDeliveries } from '#shared/webhook-deliveries/run-due-deliveries';
import { dueTo, newEndpoints, openDueIndex, threeEndpoints } from './due-index.ts';

/** Prepares a run over one shard's entries. The test moves its clock; the deadline is at 1,000. */
function prepareRun(
  entries: readonly DueEntry[],
  attempt: (id: DeliveryId, clock: { now: number }) => Promise<AttemptResult>,
) {
  const clock = { now: 0 };
  const attempted: DeliveryId[] = [];
  const failures: DeliveryId[] = [];
  const shares = new Map();
  const run = () =>
    runDueDeliveries(1_000, {
      now: () => clock.now,
      due: openDueIndex([entries]).store,
      shares,
      attempt: ({ id }) => {
        attempted.push(id);
        return attempt(id, clock);
      },
      reportFailure: ({ id }) => failures.push(id),
    });
  return { run, attempted, failures, clock, shares };
}

/** One due delivery to each of this many endpoints. */
const dueToEach = (count: number) => newEndpoints(count).flatMap((id) => dueTo(id, 1));
const idsOf = (entries: readonly DueEntry[]) => entries.map(({ id }) => id);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The peak number of concurrent attempts. */
async function peakUnderWay(entries: readonly DueEntry[]): Promise<number> {
  let underWay = 0;
  let most = 0;
  const { run } = prepareRun(entries, async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await nextTurn();
    underWay -= 1;
    return 'delivered';
  });
  await run();
  return most;
}

describe('a due run', () => {
  it('attempts everything that is due, and counts the results', async () => {
    const results: AttemptResult[] = ['delivered', 'rescheduled', 'failed', 'delivered'];
    const entries = dueToEach(4);
    const { run, attempted } = prepareRun(
      entries,
      async (id) => results[idsOf(entries).indexOf(id)] ?? 'failed',
    );

    expect(await run()).toEqual({ processed: 4, delivered: 2, rescheduled: 1, failed: 1 });
    expect(attempted.toSorted()).toEqual(idsOf(entries).toSorted());
  });

  it('ends when nothing is due', async () => {
    const { run } = prepareRun([], async () => 'delivered');

    expect(await run()).toMatchObject({ processed: 0 });
  });

  it("doesn't count deliveries that another run has claimed", async () => {
    const { run } = prepareRun(dueToEach(2), async () => 'not_claimed');

    expect(await run()).toEqual({ processed: 0, delivered: 0, rescheduled: 0, failed: 0 });
  });

  it('attempts many concurrently', async () => {
    expect(await peakUnderWay(dueToEach(2 * concurrency))).toBe(concurrency);
  });

  it("reports a delivery that can't be attempted, and continues with the others", async () => {
    const entries = dueToEach(60);
    const { run, failures } = prepareRun(entries, async (id) => {
      if (id === entries[0]?.id) throw new Error('malformed item');
      return 'delivered';
    });

    expect(await run()).toMatchObject({ processed: 59, delivered: 59 });
    expect(failures).toEqual([entries[0]?.id]);
  });

  it('starts nothing after its deadline, and ends when what is under way has ended', async () => {
    const held = Promise.withResolvers<void>();
    const { run, attempted, clock } = prepareRun(dueToEach(2 * concurrency), async () => {
      await held.promise;
      return 'delivered';
    });

    const result = run();
    while (attempted.length < concurrency) await nextTurn();
    clock.now = 1_000;
    held.resolve();

    expect(await result).toMatchObject({ processed: concurrency });
    expect(attempted).toHaveLength(concurrency);
  });

  it('fails when the due deliveries cannot be read', async () => {
    const run = runDueDeliveries(1_000, {
      now: () => 0,
      due: {
        ...openDueIndex([]).store,
        findOwners: () => Promise.reject(new Error('unreachable')),
      },
      shares: new Map(),
      attempt: async () => 'delivered',
      reportFailure: () => {},
    });

    await expect(run).rejects.toThrow('unreachable');
  });
});

describe("a run's attempts at one endpoint", () => {
  it('are few while it hangs', async () => {
    const entries = newEndpoints(1).flatMap((id) => dueTo(id, 100));
    const hanging = Promise.withResolvers<void>();
    const { run, attempted, clock } = prepareRun(entries, async () => {
      await hanging.promise;
      return 'rescheduled';
    });

    const result = run();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    clock.now = 15_000;
    hanging.resolve();

    expect(await result).toMatchObject({ processed: firstShare });
    expect(attempted).toHaveLength(firstShare);
  });

  it('become more while it answers', async () => {
    const entries = newEndpoints(1).flatMap((id) => dueTo(id, 100));

    expect(await peakUnderWay(entries)).toBeGreaterThan(4 * firstShare);
  });

  it('start in the next run at the number reached in this one', async () => {
    const [id] = threeEndpoints();
    const { run, shares } = prepareRun(dueTo(id, 10), async () => 'delivered');

    await run();

    expect(shares.get(id)).toBe(firstShare + 10);
  });
});
