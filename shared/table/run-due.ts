import { DueBacklog } from './due-backlog.ts';
import { type Due, type DueList, type DueReader, findDue, findDueOwners } from './due-index.ts';
import type { Table } from './table-client.ts';

export type DueRun<Owner extends string, Entry extends Due<Owner>> = {
  readonly now: () => number;
  readonly due: DueReader<Owner, Entry>;
  /** Attempts in flight. */
  readonly concurrency: number;
  /** Attempts that an owner may have in flight. */
  readonly shareOf: (owner: Owner) => number;
  /** Must never throw: one bad entry must not hold up the others in every run. */
  readonly attempt: (entry: Entry) => Promise<void>;
};

/** How often a run looks for newly due entries while it still has attempts in flight. */
const lookAgainMs = 5_000;

/**
 * Runs attempts in parallel, including entries that become due during the run. Starts none after `deadline`.
 *
 * @throws the error of reading due entries, once no attempt is in flight.
 */
export async function runDue<Owner extends string, Entry extends Due<Owner>>(
  deadline: number,
  { now, due, concurrency, shareOf, attempt }: DueRun<Owner, Entry>,
): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let underWay = 0;
  let lookedAt = 0;

  const beginAttempts = () => {
    while (underWay < concurrency && now() < deadline) {
      const entry = backlog.take();
      if (entry === undefined) break;
      underWay += 1;
      void attempt(entry).finally(() => {
        underWay -= 1;
        backlog.release(entry);
        goOn();
      });
    }
  };
  const look = () => {
    lookedAt = now();
    backlog.look();
  };
  const goOn = () => {
    beginAttempts();
    if (backlog.isReading) return;
    const isIdle = underWay === 0;
    const mayHaveMore = isIdle ? backlog.found > 0 : now() - lookedAt >= lookAgainMs;
    const mayStart = underWay < concurrency && now() < deadline;
    if (mayHaveMore && mayStart) look();
    else if (isIdle) end();
  };
  const backlog = new DueBacklog<Owner, Entry>({ due, now, deadline, shareOf, onRead: goOn });
  look();
  await ended;
  backlog.requireAllRead();
}

/**
 * Reads the list for a run, and notes how late the oldest entry was at its start; 0 if nothing was due.
 *
 * @param isHeld whether nothing of an owner may be attempted for now, so it's neither read on nor late. Must never throw:
 *   that would end the reading of a shard for all its owners.
 */
export function readDue<Owner extends string, Entry extends Due<Owner>>(
  table: Table,
  list: DueList<Owner, Entry>,
  startedAt: number,
  isHeld: (owner: Owner) => Promise<boolean> = async () => false,
) {
  let oldestDueAt = startedAt;
  const due: DueReader<Owner, Entry> = {
    shards: list.shards,
    findOwners: async (...range) => {
      const found = await findDueOwners(table, list, ...range);
      const held = await Promise.all(found.firstPages.map(({ owner }) => isHeld(owner)));
      const firstPages = found.firstPages.filter((_, index) => !held[index]);
      for (const { page } of firstPages) {
        oldestDueAt = Math.min(oldestDueAt, ...page.entries.map(({ dueAt }) => dueAt));
      }
      return { firstPages, next: found.next };
    },
    find: async (shard, owner, ...page) =>
      (await isHeld(owner))
        ? { entries: [], next: undefined }
        : findDue(table, list, shard, owner, ...page),
  };
  return { due, latenessMs: () => startedAt - oldestDueAt };
}

/** One bad entry, or two, fail in each run. What a bad version fails at stays due, so its runs soon have as many. */
const fewestFailures = 3;

/**
 * Longer than a gradual deployment shifts a function: what has been due for so long has failed at the version before.
 */
const newlyDueMs = 15 * 60_000;

/**
 * Counts the attempts of a run. Bad entries fail in each run for days, so they count only while they are newly due:
 * else a few of them would stop every deployment, also the one that mends them.
 */
export function countAttempts(startedAt: number) {
  const count = { made: 0, failed: 0 };
  return {
    made: () => {
      count.made += 1;
    },
    failed: ({ dueAt }: Pick<Due<string>, 'dueAt'>) => {
      if (dueAt > startedAt - newlyDueMs) count.failed += 1;
    },
    /**
     * For the end of a run, after it has published how late it was.
     *
     * @throws Error if none of several attempts was made: an alarm counts runs that die.
     */
    requireAnyMade: (failure: string) => {
      if (count.made === 0 && count.failed >= fewestFailures) throw new Error(failure);
    },
  };
}
