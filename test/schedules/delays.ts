import type { Dice } from './dice.ts';

/** When something arrives: at its latest time, or earlier while its send is being worked on. */
export type Delay = { readonly earliestMs: number; readonly latestMs: number };

/** Arrives after exactly this long, whatever happens in between. */
export const exactly = (ms: number): Delay => ({ earliestMs: ms, latestMs: ms });

/** Arrives within this long. */
export const within = (ms: number): Delay => ({ earliestMs: 0, latestMs: ms });

/** Arrives at a given time or soon after. */
export const soonAfter = (ms: number, latenessMs: number): Delay => ({
  earliestMs: ms,
  latestMs: ms + latenessMs,
});

/**
 * A delay of any length.
 *
 * @param landmarks the lengths after which things meet: a lease ends, a send expires.
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
