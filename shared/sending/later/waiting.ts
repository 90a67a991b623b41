import { hash } from 'node:crypto';
import { invalidField } from '#shared/errors/service-error';
import { longestPastMinutes } from '#shared/sending/request/send-request';
import {
  isWaiting,
  mayEarlierBeProven,
  type Send,
  type SendUnderWay,
  stateAt,
  type WaitingSend,
} from '#shared/sending/send';
import { backoffCeiling } from '#shared/timing/backoff';
import { dayMs } from '#shared/timing/day';
import { slotIdIn } from '#shared/tokens/resource-id';
import { longestAheadDays, longestHeldUpDays } from './schedule-horizon.ts';

// Rules of a send that goes out later, or through the queue: `shared/sending/later/README.md` says how it goes. Each
// attempt is a claim, which requires the send as read and raises `attempt`, so a worker that dies, freezes or gets a
// message twice costs only time, and a move or a cancellation happens before an attempt, or not at all.
//
// | the send             | `dueAt`                                                            |
// |----------------------|--------------------------------------------------------------------|
// | `scheduled`          | when it is to go out                                               |
// | `queued`             | at once; after an attempt that sent nothing, when to try again     |
// | `sending`            | the end of the attempt's lease: by then it is proven, or was lost  |
// | anything else        | none: workers are done with it                                     |

export const longestAheadMs = longestAheadDays * dayMs;

/** @throws ServiceError `validation_failed` */
export function requireNotLongPast(sendAt: number, now: number): void {
  if (sendAt >= now - longestPastMinutes * 60_000) return;
  throw invalidField(
    'sendAt',
    `must be at most ${longestPastMinutes} minutes in the past. Check the time zone, or leave it out to send at once`,
  );
}

/** Workers aren't done with it. */
export type WorkersSend = (WaitingSend | SendUnderWay) & { readonly dueAt: number };

export const isForWorkers = (send: Send): send is WorkersSend => send.dueAt !== undefined;

type DueVerdict =
  | 'attempt'
  | 'too_early'
  /** No more attempts; only the index entry is left to remove. */
  | 'release';

export function checkDue(send: WorkersSend, now: number): DueVerdict {
  const { dueAt, status } = send;
  // Its email is out, though its message id isn't known yet.
  if (stateAt(send, now).status === 'sent') return 'release';
  if (now < dueAt) return 'too_early';
  // It stays in doubt; a retry with the key may take it over.
  if (status === 'sending' && now >= endOfPatience(send)) return 'release';
  return 'attempt';
}

/** No attempt is under way, and none may still be proven accepted. */
export const mayChangePlan = (send: Send, now: number): send is WaitingSend =>
  isWaiting(send) && stateAt(send, now).status !== 'sent' && !mayEarlierBeProven(send, now);

export type StateAfterFailure =
  | { readonly kind: 'failed' | 'held' }
  | { readonly kind: 'postponed'; readonly dueAt: number };

export function stateAfterFailure(send: Send, reason: string, now: number): StateAfterFailure {
  // An earlier attempt may still be proven accepted, so it's due again at the end of the lease.
  if (mayEarlierBeProven(send, now)) return { kind: 'held' };
  const next =
    now + pauseAfter(send, reason === templateUnusable ? longestPauseForPeople : longestPauseMs);
  const mayGoOn = send.dueAt !== undefined && next <= lastAttemptAfter(reason, send);
  return mayGoOn ? { kind: 'postponed', dueAt: next } : { kind: 'failed' };
}

/** Another attempt may get past some reasons. All others are final. */
function lastAttemptAfter(reason: string, send: Send): number {
  const { createdAt, dueSince = createdAt } = send;
  if (passing.has(reason)) return endOfPatience(send);
  if (!holdingUp.has(reason)) return 0;
  return Math.min(dueSince + longestHeldUpMs, lastReportAt(send));
}

/** An organization may keep its sends for less time than its deployment has patience. */
const endOfPatience = (send: Send): number =>
  Math.min(send.giveUpAt ?? Number.POSITIVE_INFINITY, lastReportAt(send));

/** Early enough to report a failure before the send expires. */
const lastReportAt = ({ expiresAt }: Send): number => expiresAt * 1_000 - longestPauseMs;

const passing = new Set<string>(['Throttled', 'Unreachable', 'daily_recipients_exhausted']);

/**
 * A newer version accepted the request. After a rollback, or while versions change, this one may not know its fields.
 */
export const requestUnreadable = 'RequestUnreadable';

/** Its template was fit for it when it was accepted. Somebody has changed that since, and may mend it. */
export const templateUnusable = 'TemplateUnusable';
/** Its template was deleted, and no other has its id. */
export const templateGone = 'TemplateGone';

/** An organization's rate only slows its emails down: a large batch takes hours at ten a second. */
const holdingUp = new Set<string>([
  'organization_rate_limited',
  requestUnreadable,
  templateUnusable,
]);
const longestHeldUpMs = longestHeldUpDays * dayMs;

/**
 * Patience is the time for SES to take an email, or for the limit of a day to have room. It begins at the first
 * attempt, and again at each attempt after one that was held up. So an outage, a long queue or a hold-up doesn't use
 * it up.
 */
export function withPatience<S extends Send>(send: S, now: number, patienceMs: number): S {
  const isFirst = send.attempt === 0 || holdingUp.has(send.attempts.at(-1)?.reason ?? '');
  return isFirst ? { ...send, giveUpAt: Math.max(send.giveUpAt ?? 0, now + patienceMs) } : send;
}

const firstPauseMs = 15_000;
const longestPauseMs = 300_000;
/** Each attempt takes a turn at SES's rate, and people don't mend templates in minutes. */
const longestPauseForPeople = 3_600_000;

/** Grows with each attempt. The jitter follows from the slot: a repeated write writes the same. */
function pauseAfter({ attempt, id }: Send, longestMs: number): number {
  const ceiling = backoffCeiling(attempt, firstPauseMs, longestMs);
  const jitter = hash('sha256', `${slotIdIn(id)} ${attempt}`, 'buffer').readUInt32BE() / 2 ** 32;
  return Math.round(ceiling * (0.5 + jitter / 2));
}
