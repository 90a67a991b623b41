import type { TargetState } from './notice-target.ts';
import type { AlertOutcome } from './post-alert.ts';

export const stateAfter = (
  before: TargetState | undefined,
  outcome: AlertOutcome,
  at: number,
): TargetState =>
  outcome.kind === 'delivered'
    ? { lastSentAt: at }
    : {
        ...(before?.lastSentAt !== undefined && { lastSentAt: before.lastSentAt }),
        lastFailure: { at, reason: outcome.reason },
      };
