import type { Dice } from './dice.ts';

/** When something comes: at its latest moment, or from the earliest on, while its send is worked on. */
export type Delay = { readonly earliestMs: number; readonly latestMs: number };

/** Comes after just so long, whatever happens meanwhile. */
export const exactly = (ms: number): Delay => ({ earliestMs: ms, latestMs: ms });

/** Comes within so long. */
export const within = (ms: number): Delay => ({ earliestMs: 0, latestMs: ms });

/** Comes at a moment or soon after it. */
export const soonAfter = (ms: number, latenessMs: number): Delay => ({
  earliestMs: ms,
  latestMs: ms + latenessMs,
});

/**
 * A delay of any length.
 *
 * @param landmarks the lengths after which things meet: a window ends, a send expires.
 */
export const anyDelay = (dice: Dice, landmarks: readonly [number, ...number[]]): Delay =>
  dice.weighted<() => Delay>([
    [() => within(dice.between(20, 2_000)), 2],
    [() => within(dice.between(2_000, 60_000)), 2],
    [() => within(dice.between(0, 1.5 * Math.max(...landmarks))), 2],
    [
      () => soonAfter(dice.pick(landmarks) + dice.between(-1_000, 1_000), dice.between(0, 60_000)),
      4,
    ],
  ])();
