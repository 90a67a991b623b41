import { setImmediate } from 'node:timers/promises';
import type { Table } from '#shared/table/table-client';
import { openDisturbedTable, type TableOpener } from './disturbed-table.ts';

/** A process whose calls of the table wait for their turns. */
export type Turns = {
  /** Lets it make so many calls, or as many as it makes until its end. */
  proceed(calls?: number): Promise<void>;
  /** How many it has made. */
  made(): number;
  /** What came of it. `undefined`: it has not ended. */
  ending(): PromiseSettledResult<unknown> | undefined;
};

/**
 * Begins a process that makes a call of the table when it is its turn, and none before. One that gets no more turns is
 * frozen, or dead.
 */
export function takingTurns(work: (table: Table) => Promise<unknown>, open: TableOpener): Turns {
  const waiting: (() => void)[] = [];
  let made = 0;
  let ending: PromiseSettledResult<unknown> | undefined;
  const before = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    return promise;
  };
  void Promise.allSettled([work(openDisturbedTable({ before }, open))]).then(([outcome]) => {
    ending = outcome;
  });
  return {
    async proceed(calls = Number.POSITIVE_INFINITY) {
      for (let call = 0; call < calls; call += 1) {
        await setImmediate();
        const next = waiting.shift();
        if (next === undefined) break;
        made += 1;
        next();
      }
      await setImmediate();
    },
    made: () => made,
    ending: () => ending,
  };
}
