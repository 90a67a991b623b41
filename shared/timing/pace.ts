import { setTimeout as sleep } from 'node:timers/promises';

type Clock = {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
};

/** Whatever the pace, a whole batch gets its turns before its function ends. */
const longestPauseMs = 10_000;

/**
 * Waits for the caller's turn, but not beyond `until`. A caller that needs several turns takes them at once.
 *
 * @returns whether the turn came.
 */
export type TakeTurn = (turns?: number, until?: number) => Promise<boolean>;

/**
 * This many turns a second; unused ones aren't saved.
 *
 * @param readPerSecond is asked at each turn.
 */
export function createPace(
  readPerSecond: () => Promise<number>,
  { now, wait }: Clock = { now: Date.now, wait: sleep },
): TakeTurn {
  let next = 0;
  return async (turns = 1, until = Number.POSITIVE_INFINITY) => {
    const perSecond = await readPerSecond();
    const turn = Math.max(now(), next);
    const comes = turn <= until;
    if (comes) next = turn + Math.min((1_000 * turns) / perSecond, longestPauseMs);
    const ahead = Math.min(turn, until) - now();
    if (ahead > 0) await wait(ahead);
    return comes;
  };
}
