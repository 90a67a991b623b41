import { minuteStartOf } from './rate-window.ts';

/** A count lags by less than one part in this many. */
const exactness = 8;
/** A program refused in more ways in a minute isn't looking for its mistake. */
const maxKinds = 1_000;

/** As many as are written one by one. */
const maxRemembered = 9;

type Tally = { seen: number; written: number; requestIds: readonly string[] };

/**
 * Protects the table from a program in a loop: the more similar refusals this process has seen in a minute, the more it
 * collects for one write. The first nine are written one by one; ten thousand take some sixty writes. Refusals still
 * collected when the loop ends aren't counted.
 */
export function createRefusalTally() {
  let minute = 0;
  const tallies = new Map<string, Tally>();

  function tallyOf(kind: string, now: number): Tally {
    if (minuteStartOf(now) !== minute) tallies.clear();
    minute = minuteStartOf(now);
    const tally = tallies.get(kind) ?? {
      seen: 0,
      written: tallies.size < maxKinds ? 0 : Infinity,
      requestIds: [],
    };
    tallies.set(kind, tally);
    return tally;
  }

  return {
    /** @returns how many to write now; 0 if they can wait. */
    add(kind: string, now: number, more = 1, requestId?: string): number {
      const tally = tallyOf(kind, now);
      tally.seen += more;
      if (requestId !== undefined) {
        tally.requestIds = [...tally.requestIds, requestId].slice(-maxRemembered);
      }
      const waiting = tally.seen - tally.written;
      if (waiting * exactness < tally.written) return 0;
      tally.written = tally.seen;
      return waiting;
    },

    /** Of this kind's last requests in this minute, in order. */
    requestIds(kind: string, now: number): readonly string[] {
      return tallyOf(kind, now).requestIds;
    },

    /** The minute has no room for this kind, so the rest isn't written. */
    giveUp(kind: string, now: number): void {
      tallyOf(kind, now).written = Infinity;
    },
  };
}

export type RefusalTally = ReturnType<typeof createRefusalTally>;
