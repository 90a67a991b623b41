import { setTimeout as sleep } from 'node:timers/promises';

export type ScheduleOptions = {
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
  /** Told of a fault when it begins, and not again while every run ends in the same. */
  readonly report: (fault: unknown) => void;
};

/** Runs something again and again, never twice at a time, until it is stopped. */
export function startSchedule({ everyMs, run, report }: ScheduleOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let lastFault: string | undefined;
  const runOnce = async () => {
    try {
      await run();
      lastFault = undefined;
    } catch (fault) {
      if (String(fault) !== lastFault) report(fault);
      lastFault = String(fault);
    }
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await runOnce();
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
