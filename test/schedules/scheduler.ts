import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dice } from './dice.ts';

/** A step that waits for its time on the virtual clock. */
export type Wait = {
  readonly ended: Promise<void>;
  /** Lets it end sooner: at this time. */
  hasten(moment: number): void;
};

/**
 * Lets one step at a time happen. It takes the earliest step, moves the virtual clock to its moment, and
 * goes on only when all that follows from it has happened. So one seed makes one interleaving.
 */
export type Scheduler = {
  /** Epoch milliseconds on the virtual clock. */
  now(): number;
  /** A step in `ms` milliseconds. */
  wait(ms: number): Wait;
  pause(ms: number): Promise<void>;
  /** Keeps the step from ending before work that takes real time. */
  hold<Result>(work: Promise<Result>): Promise<Result>;
  /** Runs until no step waits. */
  run(): Promise<void>;
};

type Step = { moment: number; readonly order: number; readonly happen: () => void };

/** A schedule has hundreds of steps. One with this many is in an endless loop. */
const maxSteps = 50_000;

export function createScheduler(start: number, dice: Dice): Scheduler {
  let now = start;
  const waiting = new Set<Step>();
  const held = new Set<Promise<unknown>>();

  const wait = (ms: number): Wait => {
    const { promise, resolve } = Promise.withResolvers<void>();
    // The dice decide the order of simultaneous steps.
    const step = { moment: now + ms, order: dice.between(0, 2 ** 30), happen: resolve };
    waiting.add(step);
    return {
      ended: promise,
      hasten: (moment) => {
        step.moment = Math.min(step.moment, Math.max(now, moment));
      },
    };
  };

  const takeNext = (): Step | undefined => {
    let next: Step | undefined;
    for (const step of waiting) if (next === undefined || isBefore(step, next)) next = step;
    if (next) waiting.delete(next);
    return next;
  };

  return {
    now: () => now,
    wait,
    pause: (ms) => wait(ms).ended,
    hold(work) {
      // At least one turn, so that parallel work goes first, however long the work takes.
      const long = work.finally(() => nextTurn());
      const settled: Promise<unknown> = long.catch(() => {}).then(() => held.delete(settled));
      held.add(settled);
      return long;
    },
    async run() {
      for (let steps = 0; steps < maxSteps; steps += 1) {
        // Every microtask runs before the next turn of the event loop.
        do {
          await Promise.all(held);
          await nextTurn();
        } while (held.size > 0);
        const step = takeNext();
        if (step === undefined) return;
        now = Math.max(now, step.moment);
        step.happen();
      }
      throw new Error(`the schedule did not end in ${maxSteps} steps`);
    },
  };
}

const isBefore = (one: Step, other: Step): boolean =>
  one.moment < other.moment || (one.moment === other.moment && one.order < other.order);
