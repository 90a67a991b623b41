import { setTimeout as sleep } from 'node:timers/promises';

type Clock = {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
};

/**
 * Opens a pace: turns are so many a second, and none is saved up.
 *
 * @returns a function that waits for the caller's turn.
 */
export function openPace(
  perSecond: number,
  { now, wait }: Clock = { now: Date.now, wait: sleep },
): () => Promise<void> {
  let next = 0;
  return async () => {
    const turn = Math.max(now(), next);
    next = turn + 1_000 / perSecond;
    const ahead = turn - now();
    if (ahead > 0) await wait(ahead);
  };
}
