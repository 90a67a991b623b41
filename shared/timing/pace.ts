import { setTimeout as sleep } from 'node:timers/promises';

type Clock = {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
};

/** Whatever the pace, a whole batch gets its turns before its function ends. */
const longestPauseMs = 10_000;

/**
 * This many turns a second; unused ones aren't saved. A caller that needs several takes them at once.
 *
 * @param readPerSecond is asked at each turn.
 * @returns a function that waits for the caller's turn.
 */
export function openPace(
  readPerSecond: () => Promise<number>,
  { now, wait }: Clock = { now: Date.now, wait: sleep },
): (turns?: number) => Promise<void> {
  let next = 0;
  return async (turns = 1) => {
    const perSecond = await readPerSecond();
    const turn = Math.max(now(), next);
    next = turn + Math.min((1_000 * turns) / perSecond, longestPauseMs);
    const ahead = turn - now();
    if (ahead > 0) await wait(ahead);
  };
}
