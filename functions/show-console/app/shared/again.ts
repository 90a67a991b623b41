const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** About 50 s in all: a new account's limits are met for seconds. */
export const mostTries = 10;

/** Longer each time, and never the same for two pages that were refused together. */
export const pauseAfter = (tries: number): number =>
  Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs) * (0.75 + Math.random() / 2);

/** @throws the signal's reason if it ends the pause. */
export const pause = (ms: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** A short wait needs no words. */
export const isWorthTelling = (tries: number): boolean => tries > 2;

export const busyWords = 'The service is busy. Trying again…';
