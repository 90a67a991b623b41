import type { AttemptResult } from './attempt-delivery.ts';
import type { DeliveryReference } from './delivery.ts';
import { DueBacklog, type ReadDuePage } from './due-backlog.ts';

/** Where a run finds due deliveries, and what it does with each. */
export type DueRun = {
  readonly now: () => number;
  readonly shards: number;
  readonly readDuePage: ReadDuePage;
  readonly attempt: (delivery: DeliveryReference) => Promise<AttemptResult>;
  readonly reportFailure: (delivery: DeliveryReference, error: unknown) => void;
};

/** The counts of a run. `processed` is the sum of the others; none of them counts an attempt that threw. */
export type RunResult = {
  readonly processed: number;
  readonly delivered: number;
  readonly rescheduled: number;
  readonly failed: number;
};

export const concurrency = 96;

/**
 * Attempts all due deliveries in parallel, and begins none after `deadline` (epoch milliseconds). Runs may
 * overlap: only one of them can claim a delivery.
 */
export async function runDueDeliveries(
  deadline: number,
  { now, shards, readDuePage, attempt, reportFailure }: DueRun,
): Promise<RunResult> {
  const backlog = new DueBacklog(shards, readDuePage, () => now() >= deadline);
  const count = { delivered: 0, rescheduled: 0, failed: 0, not_claimed: 0, postponed: 0 };
  const work = async () => {
    for (;;) {
      const entry = await backlog.take();
      if (entry === undefined) return;
      try {
        // The deadline may have passed since the entry was taken.
        if (now() < deadline) count[await attempt(entry)] += 1;
      } catch (error) {
        // One delivery that cannot be attempted must not hold up the others in every run.
        reportFailure(entry, error);
      } finally {
        backlog.release(entry);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const { delivered, rescheduled, failed } = count;
  return { processed: delivered + rescheduled + failed, delivered, rescheduled, failed };
}
