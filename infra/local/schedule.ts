import { setTimeout as sleep } from 'node:timers/promises';

export type ScheduleOptions = {
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
  readonly report: (fault: unknown) => void;
};

/** Runs something again and again, never twice at a time, until it is stopped. */
export function startSchedule({ everyMs, run, report }: ScheduleOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await run().catch(report);
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
