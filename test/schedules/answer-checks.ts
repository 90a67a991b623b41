import type { SendResponse, SendStatus } from '#shared/sending/send';
import { feedbackIdOf } from '#shared/tokens/resource-id';
import { type Answer, type Ledger, sentOut } from './ledger.ts';
import { checkNo, checkUnknown, checkWaiting } from './refusal-checks.ts';

type Answered = Extract<Answer, { kind: 'ok' }>;

/** All clients must get the same truth. */
export function checkAnswers(ledger: Ledger): void {
  const final = ledger.answers.filter((answer) => answer.kind === 'ok');
  for (const answers of Map.groupBy(final, subjectOf).values()) checkNames(answers, ledger);
  // A send that waits or is with a worker has no outcome yet.
  const settled = final.filter(({ response }) => outcomes.has(response.status));
  for (const answers of Map.groupBy(settled, ({ response }) => response.sendId).values()) {
    checkAgreement(answers, ledger);
  }
  for (const answer of final) checkMemory(answer, ledger);
  for (const answer of ledger.answers) {
    checkNo(answer, ledger);
    checkUnknown(answer, ledger);
    checkWaiting(answer, ledger);
  }
}

const outcomes = new Set<SendStatus>(['sent', 'suppressed', 'canceled']);

const subjectOf = ({ sandbox }: Answer): string => sandbox.subject;

/** A key names one send until that has expired. */
function checkNames(answers: readonly Answered[], ledger: Ledger): void {
  const names = new Set(answers.map(({ response }) => response.sendId));
  const isKeyed = answers.some(({ request }) => request.idempotencyKey !== undefined);
  const expired = [...names].filter((id) => {
    const { expiresAt = 0 } = ledger.sends.get(feedbackIdOf(id)) ?? {};
    return answers.some(({ at }) => at >= expiresAt * 1000);
  });
  if (isKeyed && names.size > 1 + expired.length) {
    ledger.violate('a key names one send', `${answers[0]?.sandbox.subject} has ${names.size}`);
  }
}

/** Nobody gets an answer about an expired send. */
function checkMemory({ response, sandbox }: Answered, ledger: Ledger): void {
  const { expiresAt = 0 } = ledger.sends.get(feedbackIdOf(response.sendId)) ?? {};
  const isForgotten = expiresAt * 1000 <= sandbox.startedAt;
  if (isForgotten) ledger.violate('a key is free when its send has expired', sandbox.name);
}

/** All answers about a send are the same. */
function checkAgreement(answers: readonly Answered[], ledger: Ledger): void {
  const [first] = answers;
  if (first === undefined) return;
  const feedbackId = feedbackIdOf(first.response.sendId);
  const out = sentOut(ledger, feedbackId);
  const rejected = ledger.taken.filter(
    (taken) => taken.feedbackId === feedbackId && taken.isRejected,
  );
  const summaryOf = ({ status, messageId = '' }: SendResponse) => `${status} ${messageId}`;
  const summaries = [...new Set(answers.map(({ response }) => summaryOf(response)))].join(', ');
  const complain = (rule: string, isLate = false) =>
    ledger.violate(rule, `${first.sandbox.subject}: ${summaries}`, isLate);

  // If an email was only proven to be sent, nobody knows yet that SES rejected it.
  const isOfRejected = ({ response: { status, messageId } }: Answered) =>
    rejected.some(
      (taken) => messageId === taken.messageId || (status === 'sent' && messageId === undefined),
    );
  const lasting = answers.filter((answer) => !isOfRejected(answer));
  const statuses = new Set(lasting.map(({ response }) => response.status));
  // Suppressed may be the answer two leases after SES took it without anyone knowing: see checkNo.
  if (statuses.size > 1) complain('all answers are equal', true);
  const isProven = ledger.proven.has(feedbackId);
  const ids = new Set<string>();
  for (const { response, sandbox } of answers) {
    const { status, messageId } = response;
    if (status !== 'sent') continue;
    if (messageId === undefined) {
      // It was proven to be sent before an event brought the message id.
      if (!isProven) complain('a message that was sent has an id');
      continue;
    }
    const rejection = rejected.find((taken) => taken.messageId === messageId);
    if (rejection === undefined) ids.add(messageId);
    const isOver = ledger.reports.some(
      ({ taken, type, recordings }) =>
        taken === rejection &&
        type === 'Reject' &&
        recordings.some(({ at }) => at < sandbox.startedAt),
    );
    if (isOver) complain('a message that SES rejected is not reported as sent');
  }
  if (ids.size > 1) complain('all answers name one message');
  const unknown = [...ids].filter((id) => !out.some(({ messageId }) => messageId === id));
  if (unknown.length > 0) complain('only what SES took is reported as sent');
}
