import { buildEmailAddress } from '../support/email-address-builder.ts';
import { buildSendRequest } from '../support/send-request-builder.ts';
import type { Client } from './clients.ts';
import { createDice } from './dice.ts';
import { type Fault, type FaultSource, noFaults } from './faults.ts';
import type { Answer, MailEventType, MailReport, Taken } from './ledger.ts';
import { reportOf } from './mail-events.ts';
import type { SesBehaviour } from './simulated-ses.ts';
import { inMemory, openWorld, type World } from './world.ts';

type Script = {
  readonly retentionDays?: number;
  /** The messages, in the order in which SES took them, whose content it will reject. */
  readonly rejected?: number;
  readonly workerFaults?: FaultSource;
};

/** A world without randomness. `ses` says what SES does with each email. */
export async function openScriptedWorld(
  ses: Readonly<Record<string, SesBehaviour>>,
  { retentionDays = 90, rejected, workerFaults = noFaults }: Script = {},
) {
  let taken = 0;
  const world = await openWorld({
    dice: createDice(1),
    webhooks: 1,
    retentionDays,
    openTable: inMemory,
    workerFaults,
    ses: {
      behaviourFor: ({ name }) => ses[name.replace(/\.1$/, '')] ?? 'accepts',
      isRejected: () => {
        taken += 1;
        return taken === rejected;
      },
      messageId: (number) => `m${number}`,
    },
    onTaken: () => {},
  });
  const answers: string[] = [];
  return {
    ...world,
    /** The answers that callers got, in order. */
    answers,
    /** Asks for an email, and records the answer. */
    ask: async (...client: Parameters<typeof clientOf>): Promise<void> => {
      answers.push(summaryOf(await world.clients.post(clientOf(...client))));
    },
  };
}

/** A client's answer, in short. */
export function summaryOf(answer: Answer | undefined): string {
  if (answer === undefined) return 'nothing';
  if (answer.kind === 'error') return answer.code;
  const { status, messageId } = answer.response;
  return [status, messageId, answer.replayed && 'replayed'].filter(Boolean).join(' ');
}

/** A request to Ann. */
export const clientOf = (
  name: string,
  faults: FaultSource = noFaults,
  idempotencyKey = 'A',
): Client => ({
  name,
  subject: idempotencyKey,
  request: buildSendRequest({ to: buildEmailAddress('ann@example.com'), idempotencyKey }),
  maxTries: 1,
  isPatient: true,
  faults,
});

/** One fault, at a call of this name: the first one by default. */
export function faultAt(callName: string, fault: Fault, number = 1): FaultSource {
  let calls = 0;
  return (name) => {
    if (name === callName) calls += 1;
    return name === callName && calls === number ? fault : undefined;
  };
}

/** SES reports a message. */
export function tell(
  { ledger, queue }: World,
  taken: Taken | undefined,
  type: MailEventType,
  faults = noFaults,
  change: (report: MailReport) => MailReport = (report) => report,
): Promise<void> {
  if (taken === undefined) throw new Error('SES took no such message');
  const report = change(reportOf(taken, type));
  ledger.reports.push(report);
  return queue.carry(report, faults);
}
