import { type HandlerLoader, invokeFunction } from './function-invocation.ts';
import { startSchedule } from './schedule.ts';

/** Runs the checks of identities as the stack's schedule does, more often: nobody at a terminal waits. */
export const startIdentityChecks = (
  loadHandler: HandlerLoader,
  report: (...fault: readonly unknown[]) => void,
): { stop(): Promise<void> } =>
  startSchedule({
    everyMs: 5_000,
    run: async () => {
      const outcome = await invokeFunction(loadHandler, 'check-identities', { scheduledRun: true });
      if (outcome.kind === 'threw') throw outcome.error;
    },
    report: (fault) => report('check-identities', fault),
  });
