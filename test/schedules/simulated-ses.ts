import { longestAttemptMs, longestCallMs } from '#shared/config/send-attempt-time';
import type { EmailProvider, OutgoingEmail, ProviderOutcome } from '#shared/email/email-provider';
import { leaseMs } from '../support/send-builder.ts';
import type { Dice } from './dice.ts';
import { sesCall } from './faults.ts';
import type { Ledger, Taken } from './ledger.ts';
import type { Sandbox } from './sandbox.ts';
import type { Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

/** What SES does with an email handed to it. */
export type SesBehaviour =
  | 'accepts'
  | 'refuses'
  | 'throttles'
  | 'accepts without an answer'
  | 'never gets it';

export type SesPlan = {
  readonly behaviourFor: (sandbox: Sandbox) => SesBehaviour;
  /** Whether SES will reject the content of what it took. */
  readonly isRejected: (email: OutgoingEmail) => boolean;
  /** The id of the message with that number. */
  readonly messageId: (number: number, at: number) => string;
};

export type SimulatedSes = {
  /** One process's provider. */
  providerOf(sandbox: Sandbox): EmailProvider;
};

type Surroundings = {
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly trace: Trace;
  readonly ledger: Ledger;
  readonly plan: SesPlan;
  readonly onTaken: (taken: Taken) => void;
};

/**
 * SES behind the service's adapter. As the adapter, it begins no call after the deadline. A sandbox may freeze
 * between this check and the first byte: when it thaws, the abort of the call is due.
 */
export function openSimulatedSes(surroundings: Surroundings): SimulatedSes {
  const { scheduler, dice, trace, ledger, plan, onTaken } = surroundings;

  const take = (sandbox: Sandbox, email: OutgoingEmail, leaseEnd: number): Taken => {
    const taken: Taken = {
      messageId: plan.messageId(ledger.taken.length + 1, scheduler.now()),
      feedbackId: email.feedbackId,
      subject: sandbox.subject,
      sandbox,
      to: email.to.map(({ identity }) => identity).join(),
      recipients: [...email.to, ...email.cc, ...email.bcc].map(({ identity }) => identity),
      at: scheduler.now(),
      leaseEnd,
      isRejected: plan.isRejected(email),
    };
    ledger.taken.push(taken);
    const longestMs = longestAttemptMs + longestCallMs;
    if (taken.at > leaseEnd - leaseMs + longestMs) {
      ledger.violate('the rest of a lease is left to the Send event', sandbox.name);
    }
    if (taken.at > (ledger.readAt.get(sandbox) ?? taken.at) + longestMs) {
      ledger.violate('SES gets nothing on what was read long ago', sandbox.name);
    }
    trace.tell('SES', `takes ${taken.messageId} of ${sandbox.name}`);
    onTaken(taken);
    return taken;
  };

  return {
    providerOf:
      (sandbox) =>
      async (email, { beginsBefore, endsBefore }) => {
        if (scheduler.now() >= beginsBefore)
          return { kind: 'unreachable', cause: new Error('late') };
        const beganAt = scheduler.now();
        const behaviour = plan.behaviourFor(sandbox);
        ledger.sesCalls += 1;
        const isTest = ledger.sends.get(email.feedbackId)?.test === true;
        if (isTest) ledger.violate('SES gets no test email', sandbox.name);
        trace.tell('SES', `${behaviour} (${sandbox.name})`);
        await scheduler.pause(slowness(dice));
        const outcome = await sandbox.call(sesCall, async (): Promise<ProviderOutcome> => {
          const isTooLate = scheduler.now() - beganAt > longestCallMs;
          switch (behaviour) {
            case 'refuses':
              return { kind: 'refused', reason: 'MessageRejected' };
            case 'throttles':
              return { kind: 'throttled' };
            case 'never gets it':
              return noAnswer();
            case 'accepts without an answer':
              if (!isTooLate) take(sandbox, email, endsBefore);
              return noAnswer();
            case 'accepts': {
              if (isTooLate) return noAnswer();
              const { messageId } = take(sandbox, email, endsBefore);
              return { kind: 'accepted', providerMessageId: messageId };
            }
          }
        });
        if (outcome.kind === 'unknown') await scheduler.pause(longestCallMs);
        // A sandbox that thaws finds the answer and the abort at once.
        const isAborted = scheduler.now() - beganAt > longestCallMs && dice.chance(0.5);
        return isAborted ? noAnswer() : outcome;
      },
  };
}

/** Half of the calls last long enough for others to run in between. */
const slowness = (dice: Dice): number =>
  dice.chance(0.5) ? dice.between(0, 20) : dice.between(20, 3_000);

const noAnswer = (): ProviderOutcome => ({ kind: 'unknown', cause: new Error('no answer') });
