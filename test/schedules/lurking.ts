import type { Delay } from './delays.ts';
import type { Dice } from './dice.ts';
import type { Scheduler, Wait } from './scheduler.ts';

/**
 * Things that come at the worst moment: events, frozen processes, late copies of requests. Each may come
 * before its time, while somebody works on the same send.
 */
export type Lurking = {
  /** @param subject the send that it is about. */
  lurk(subject: string, delay: Delay): Promise<void>;
  /** Somebody works on the send. */
  touch(subject: string): void;
};

type Lurker = { readonly subject: string; readonly wait: Wait; readonly earliest: number };

const chanceToCome = 0.12;
const longestRushMs = 15;

export function openLurking(scheduler: Scheduler, dice: Dice): Lurking {
  const lurkers = new Set<Lurker>();
  return {
    async lurk(subject, { earliestMs, latestMs }) {
      const earliest = scheduler.now() + earliestMs;
      const lurker = { subject, earliest, wait: scheduler.wait(Math.max(earliestMs, latestMs)) };
      lurkers.add(lurker);
      await lurker.wait.ended;
      lurkers.delete(lurker);
    },
    touch(subject) {
      const now = scheduler.now();
      for (const lurker of lurkers) {
        const mayCome = lurker.subject === subject && now >= lurker.earliest;
        if (!mayCome || !dice.chance(chanceToCome)) continue;
        lurker.wait.hasten(now + dice.between(0, longestRushMs));
        lurkers.delete(lurker);
      }
    },
  };
}
