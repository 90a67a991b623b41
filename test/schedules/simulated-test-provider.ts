import type { EmailProvider } from '#shared/email/email-provider';
import { createTestProvider, type PublishTestEvents } from '#shared/email/test-provider';
import type { Ledger, Taken } from './ledger.ts';
import type { Sandbox } from './sandbox.ts';
import type { Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

type Surroundings = {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly ledger: Ledger;
  readonly onTaken: (taken: Taken) => void;
};

/** A request to SQS is aborted after 2 s: see `queue-client.ts`. */
const longestPublishMs = 2_000;

/**
 * The provider of test emails, as one process reaches it: what it puts into the queue of test events counts as taken. A
 * sandbox that thaws may begin a try, but only before the time for it is over.
 */
export function openSimulatedTestProvider({ scheduler, trace, ledger, onTaken }: Surroundings) {
  let emails = 0;
  return (sandbox: Sandbox): EmailProvider =>
    async (email, deadline) => {
      emails += 1;
      const messageId = `t${emails}`;
      const isTest = ledger.sends.get(email.feedbackId)?.test === true;
      if (!isTest) ledger.violate('a real email goes to SES', sandbox.name);
      const publish: PublishTestEvents = async (testEvents, beginsBefore) => {
        const beganAt = scheduler.now();
        await sandbox.call('SQS test events', async () => {
          if (scheduler.now() > beginsBefore + longestPublishMs) return;
          const first = ledger.taken.find((one) => one.messageId === messageId);
          const taken = first ?? {
            messageId,
            feedbackId: email.feedbackId,
            subject: sandbox.subject,
            sandbox,
            to: email.to.map(({ identity }) => identity).join(),
            recipients: [...email.to, ...email.cc, ...email.bcc].map(({ identity }) => identity),
            at: scheduler.now(),
            leaseEnd: deadline.endsBefore,
            isRejected: false,
            testEvents,
          };
          // A copy of the request is a copy of the message, too.
          if (first === undefined) ledger.taken.push(taken);
          trace.tell('SQS', `has the events of ${messageId} of ${sandbox.name}`);
          onTaken(taken);
        });
        if (scheduler.now() - beganAt > 2 * longestPublishMs) throw new Error('aborted');
      };
      return createTestProvider(publish, scheduler.now, () => messageId)(email, deadline);
    };
}
