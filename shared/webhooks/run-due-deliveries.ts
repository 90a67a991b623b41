import type { AttemptResult } from './attempt-delivery.ts';
import type { DeliveryReference } from './delivery.ts';
import { DueBacklog, type ReadDuePage } from './due-backlog.ts';

export type RunDependencies = {
  readonly now: () => number;
  readonly shards: number;
  readonly readDuePage: ReadDuePage;
  readonly attempt: (delivery: DeliveryReference) => Promise<AttemptResult>;
  readonly reportFailure: (delivery: DeliveryReference, error: unknown) => void;
};

/** What a run did; `processed` is the sum of the others. An attempt that threw is in none of them. */
export type RunResult = {
  readonly processed: number;
  readonly delivered: number;
  readonly rescheduled: number;
  readonly failed: number;
};

export const concurrency = 96;

/**
 * Attempts every delivery whose time has come, in parallel, beginning none after `deadline` (epoch
 * milliseconds). Runs may overlap: the claim of each attempt lets one of them have it.
 */
export async function runDueDeliveries(
  deadline: number,
  { now, shards, readDuePage, attempt, reportFailure }: RunDependencies,
): Promise<RunResult> {
  const backlog = new DueBacklog(shards, readDuePage, () => now() >= deadline);
  const count = { delivered: 0, rescheduled: 0, failed: 0, not_claimed: 0, postponed: 0 };
  const work = async () => {
    for (;;) {
      const entry = await backlog.take();
      if (entry === undefined) return;
      try {
        // Those who take together do not begin together.
        if (now() < deadline) count[await attempt(entry)] += 1;
      } catch (error) {
        // One delivery that cannot be attempted must not keep the others from their turn, run by run.
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
