import { setTimeout as sleep } from 'node:timers/promises';
import type { FunctionName } from '../../functions/endpoints.ts';
import { invokeAsynchronously } from './gateway/executions.ts';
import type { HandlerLoader } from './gateway/functions.ts';

export type ScheduleOptions = {
  readonly everyMs: number;
  /** @param stopping aborted when the schedule stops. */
  readonly run: (stopping: AbortSignal) => Promise<unknown>;
  readonly report: (fault: unknown) => void;
};

/** Runs never overlap. */
export function startSchedule({ everyMs, run, report }: ScheduleOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let lastFault: string | undefined;
  const runOnce = async () => {
    try {
      await run(stopping.signal);
      lastFault = undefined;
    } catch (fault) {
      if (stopping.signal.aborted) return;
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

/**
 * More often than deployed, because people at a terminal don't wait that long. Runs for due sends and webhooks take at
 * least 8 queries and only find work without a queue message, which is rare. If they were as frequent as the others, an
 * idle twin would spend half of its CPU time on them.
 */
const everyMs = {
  'check-identities': 5_000,
  'purge-organizations': 60_000,
  'retry-due-webhooks': 5_000,
  'run-send-queue': 10_000,
  'send-notices': 2_000,
} as const satisfies Partial<Record<FunctionName, number>>;

export const startScheduledRuns = (
  functionName: keyof typeof everyMs,
  loadHandler: HandlerLoader,
  report: (...fault: readonly unknown[]) => void,
): { stop(): Promise<void> } =>
  startSchedule({
    everyMs: everyMs[functionName],
    // An event is as old as the next one at most, as deployed.
    run: (signal) =>
      invokeAsynchronously(
        loadHandler,
        functionName,
        { scheduledRun: true },
        { maxEventAgeMs: everyMs[functionName], signal },
      ),
    report: (fault) => report(functionName, fault),
  });
