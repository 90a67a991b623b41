import { minuteStartOf } from './rate-limit.ts';

/** How exact a count is: it's behind by less than one in so many. */
const exactness = 8;
/** A program that is refused in so many ways a minute isn't looking for its mistake. */
const mostKinds = 1_000;

type Tally = { seen: number; told: number };

/**
 * Spares the table a program in a loop: the more alike refusals of a minute this process has seen, the more it saves up
 * for one write. The first nine are written one by one; ten thousand take some sixty writes. What is saved up when the
 * loop ends isn't counted.
 */
export function openRefusalTally() {
  let minute = 0;
  const tallies = new Map<string, Tally>();

  function tallyOf(kind: string, now: number): Tally {
    if (minuteStartOf(now) !== minute) tallies.clear();
    minute = minuteStartOf(now);
    const tally = tallies.get(kind) ?? { seen: 0, told: tallies.size < mostKinds ? 0 : Infinity };
    tallies.set(kind, tally);
    return tally;
  }

  return {
    /** Counts more of a kind. Returns how many to write now; 0 if they can wait. */
    add(kind: string, now: number, more = 1): number {
      const tally = tallyOf(kind, now);
      tally.seen += more;
      const waiting = tally.seen - tally.told;
      if (waiting * exactness < tally.told) return 0;
      tally.told = tally.seen;
      return waiting;
    },

    /** There is no room for this kind in this minute, so the rest of it isn't written. */
    giveUp(kind: string, now: number): void {
      tallyOf(kind, now).told = Infinity;
    },
  };
}
