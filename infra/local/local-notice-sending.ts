import { type HandlerLoader, invokeFunction } from './function-invocation.ts';
import { startSchedule } from './schedule.ts';

/** Sends the notices that are due as the stack's schedule does, more often: nobody at a terminal waits. */
export const startNoticeSending = (
  loadHandler: HandlerLoader,
  report: (...fault: readonly unknown[]) => void,
): { stop(): Promise<void> } =>
  startSchedule({
    everyMs: 2_000,
    run: async () => {
      const outcome = await invokeFunction(loadHandler, 'send-notices', { scheduledRun: true });
      if (outcome.kind === 'threw') throw outcome.error;
    },
    report: (fault) => report('send-notices', fault),
  });
