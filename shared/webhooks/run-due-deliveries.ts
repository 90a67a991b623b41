import type { DeliveryId } from '#shared/tokens/resource-id';
import type { AttemptResult } from './attempt-delivery.ts';
import { DueBacklog, type ReadDuePage } from './due-backlog.ts';

export type RunDependencies = {
  readonly now: () => number;
  readonly shards: number;
  readonly readDuePage: ReadDuePage;
  readonly attempt: (id: DeliveryId) => Promise<AttemptResult>;
};

/** What a run did; `processed` is the sum of the others. */
export type RunResult = {
  readonly processed: number;
  readonly delivered: number;
  readonly rescheduled: number;
  readonly failed: number;
};

const concurrency = 48;

/**
 * Attempts every delivery whose time has come, in parallel, beginning none after `deadline` (epoch
 * milliseconds). Runs may overlap: the claim of each attempt lets one of them have it.
 */
export async function runDueDeliveries(
  deadline: number,
  { now, shards, readDuePage, attempt }: RunDependencies,
): Promise<RunResult> {
  const backlog = new DueBacklog(shards, readDuePage);
  const count = { delivered: 0, rescheduled: 0, failed: 0, not_claimed: 0 };
  const work = async () => {
    while (now() < deadline) {
      const entry = await backlog.take();
      if (entry === undefined) return;
      try {
        count[await attempt(entry.id)] += 1;
      } finally {
        backlog.release(entry);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const { delivered, rescheduled, failed } = count;
  return { processed: delivered + rescheduled + failed, delivered, rescheduled, failed };
}
