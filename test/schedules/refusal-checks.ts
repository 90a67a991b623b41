import { leaseMs } from '../support/send-builder.ts';
import { type Answer, type ClaimMade, type Ledger, sentOut } from './ledger.ts';

const definite = new Set(['provider_rejected', 'provider_throttled']);

/** The attempt of the process that gave the answer. A copy of its claim may be stored long after that. */
const claimOf = ({ sandbox, at }: Answer, { claims }: Ledger): ClaimMade | undefined =>
  claims.findLast((claim) => claim.sandbox === sandbox && claim.at <= at);

/**
 * No attempt is told for good as not sent when SES took its email, or that of an attempt before it of
 * which nobody knows. The latter holds for as long as the lease of the attempt that took over.
 */
export function checkNo(answer: Answer, ledger: Ledger): void {
  const claim = claimOf(answer, ledger);
  const isNo = answer.kind === 'error' && definite.has(answer.code);
  const isSuppressed = answer.kind === 'ok' && answer.response.status === 'suppressed';
  if (claim === undefined || !(isNo || isSuppressed)) return;

  const { name } = answer.sandbox;
  for (const { sandbox, messageId, at, leaseEnd } of sentOut(ledger, claim.feedbackId)) {
    const isOwn = sandbox === answer.sandbox;
    if (!isOwn && at >= claim.at) continue;
    const isLate = !isOwn && claim.at >= leaseEnd + leaseMs;
    ledger.violate('a definite no is true', `${name} is told so, but ${messageId} is out`, isLate);
  }
  const isOfRejected = ledger.taken.some(({ sandbox }) => sandbox === answer.sandbox);
  const isInTime = answer.at < claim.leaseExpiresAt;
  const isRecorded = ledger.failed.has(answer.sandbox);
  if (isNo && !isOfRejected && !isInTime && !isRecorded) {
    ledger.violate('past its lease an attempt tells only what it recorded', name);
  }
}

/** A failure recorded while nothing else happened to the send is answered as such. */
export function checkUnknown(answer: Answer, ledger: Ledger): void {
  const claim = claimOf(answer, ledger);
  const isUnknown = answer.kind === 'error' && answer.code === 'provider_outcome_unknown';
  if (claim === undefined || !isUnknown) return;

  const { feedbackId, leaseExpiresAt } = claim;
  const last = ledger.claims.findLast((one) => one.feedbackId === feedbackId);
  const isAlone = last === claim && !ledger.taken.some((taken) => taken.feedbackId === feedbackId);
  const hasFailed = ledger.failed.get(answer.sandbox) === 'failed';
  if (hasFailed && isAlone && answer.at < leaseExpiresAt) {
    ledger.violate('a failure that is recorded is reported', answer.sandbox.name);
  }
}

/** A caller asked to wait is blocked by another caller, never by itself, and by one that exists. */
export function checkWaiting({ sandbox, at, request, ...answer }: Answer, ledger: Ledger): void {
  if (answer.kind !== 'error' || !answer.code.startsWith('idempotency_')) return;
  const detail = `${sandbox.name}: ${answer.code}`;
  const { idempotencyKey } = request;
  if (idempotencyKey === undefined) ledger.violate('without a key nobody is in the way', detail);

  const made = ledger.claims.filter(
    (claim) => claim.sandbox?.subject === sandbox.subject && claim.at <= at,
  );
  const last = made.at(-1);
  // Unless an event proved an earlier attempt's email in between: then the send is no longer this attempt's.
  const isOwn = last?.sandbox === sandbox && !ledger.proven.has(last.feedbackId);
  if (isOwn) ledger.violate('an attempt knows its own claim', detail);
  // A claim that thawed in between counts, even past its lease: it won the race for the slot.
  const isInTheWay = made.some(
    (claim) => claim.leaseExpiresAt > sandbox.startedAt || claim.at >= sandbox.startedAt,
  );
  if (answer.code === 'idempotency_in_progress' && !isInTheWay) {
    ledger.violate('who waits has somebody to wait for', detail);
  }
}
