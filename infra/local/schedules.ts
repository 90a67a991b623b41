import type { FunctionName } from '../constructs/function-catalogue.ts';
import { type HandlerLoader, invokeFunction } from './gateway/function-invocation.ts';
import { startSchedule } from './schedule.ts';

/** How often the twin runs what a schedule of the stack runs. More often than there: nobody at a terminal waits. */
const everyMs = {
  'check-identities': 5_000,
  'purge-organizations': 60_000,
  'send-notices': 2_000,
} as const satisfies Partial<Record<FunctionName, number>>;

/** Runs a function as its schedule does. */
export const startScheduledRuns = (
  functionName: keyof typeof everyMs,
  loadHandler: HandlerLoader,
  report: (...fault: readonly unknown[]) => void,
): { stop(): Promise<void> } =>
  startSchedule({
    everyMs: everyMs[functionName],
    run: async () => {
      const outcome = await invokeFunction(loadHandler, functionName, { scheduledRun: true });
      if (outcome.kind === 'threw') throw outcome.error;
    },
    report: (fault) => report(functionName, fault),
  });
