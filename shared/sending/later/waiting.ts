import { hash } from 'node:crypto';
import { nextAttempt } from '#shared/sending/idempotency';
import {
  isWaiting,
  mayEarlierBeProven,
  mostAttemptsKept,
  type Send,
  stateAt,
} from '#shared/sending/send';
import { backoffCeiling } from '#shared/timing/backoff';
import { dayMs } from '#shared/timing/day';
import { slotIdIn } from '#shared/tokens/resource-id';

// A send that a request doesn't make itself: it goes out later, or through the queue. The item of the send is
// all there is to know, and its entry in the index of what is due (`dueAt`) is the queue: a message of SQS
// only says when to look. The request that is to be sent waits in the bucket.
//
// Workers send it as a client does that retries with the key: each attempt is a claim, which requires the
// send as it was seen and raises `attempt`. So a worker that dies, freezes or gets a message twice costs
// nothing but time, and whoever moves the send or calls it off does that before an attempt, or not at all.
//
// | the send             | `dueAt`                                                            |
// |----------------------|--------------------------------------------------------------------|
// | `scheduled`          | when it is to go out                                               |
// | `queued`             | at once; after an attempt that sent nothing, when to try again     |
// | `sending`            | the end of the attempt's window: by then it is proven, or was lost |
// | anything else        | none: workers are done with it                                     |

/** How far ahead a send may be scheduled, from its creation. */
export const longestAheadDays = 30;
export const longestAheadMs = longestAheadDays * dayMs;

/** What a worker may do with a send at `now`. */
export type WaitingVerdict =
  | 'attempt'
  | 'too_early'
  /** Workers are done with it. */
  | 'over'
  /** Nothing more is to be tried, and only its index entry doesn't say so yet. */
  | 'release';

export function judgeWaiting(send: Send, now: number): WaitingVerdict {
  const { dueAt, status, giveUpAt = Number.POSITIVE_INFINITY } = send;
  if (dueAt === undefined) return 'over';
  // Its email is out, though nobody knows its message id yet.
  if (stateAt(send, now).status === 'sent') return 'release';
  if (now < dueAt) return 'too_early';
  // In doubt for so long: it stays so, and a retry with the key may take it over.
  if (status === 'sending' && now >= giveUpAt) return 'release';
  return 'attempt';
}

/** Whether somebody may call a send off, or move it: no attempt is under way, or may be proven accepted. */
export const mayChangePlan = (send: Send, now: number): boolean =>
  isWaiting(send) && stateAt(send, now).status !== 'sent' && !mayEarlierBeProven(send, now);

/** What becomes of a send whose attempt sent nothing. */
export type StateAfterFailure =
  | { readonly kind: 'failed' | 'held' }
  | { readonly kind: 'postponed'; readonly dueAt: number };

export function stateAfterFailure(send: Send, reason: string, now: number): StateAfterFailure {
  // An earlier attempt may still be proven accepted. The window's end is when it is due again.
  if (mayEarlierBeProven(send, now)) return { kind: 'held' };
  const { dueAt, giveUpAt = 0 } = send;
  const next = now + pauseAfter(send);
  const mayGoOn = dueAt !== undefined && passing.has(reason) && next <= giveUpAt;
  return mayGoOn ? { kind: 'postponed', dueAt: next } : { kind: 'failed' };
}

/** The reasons of attempts that another one may overcome. All others are for good. */
const passing = new Set<string>([
  'Throttled',
  'Unreachable',
  'organization_rate_limited',
  'daily_recipients_exhausted',
]);

const firstPauseMs = 15_000;
const longestPauseMs = 300_000;

/** Grows with each attempt. The jitter follows from the slot, so that a repeated write writes the same. */
function pauseAfter({ attempt, id }: Send): number {
  const ceiling = backoffCeiling(attempt, firstPauseMs, longestPauseMs);
  const jitter = hash('sha256', `${slotIdIn(id)} ${attempt}`, 'buffer').readUInt32BE() / 2 ** 32;
  return Math.round(ceiling * (0.5 + jitter / 2));
}

/** What an item has only while workers send it, and its entry in the index. */
export const waitingAttributes = 'dueAt, gsi1pk, gsi1sk';

/** What a worker's attempt takes from the send: all that the request decided. */
const kept = ({
  fingerprint,
  idempotencyKey,
  apiKeyId,
  isReadableById,
  endpoint,
  sendAt,
  giveUpAt,
  contentId,
  attachmentCount,
  attachmentBytes,
  expiresAt,
}: Send): Partial<Send> => ({
  fingerprint,
  idempotencyKey,
  apiKeyId,
  isReadableById,
  endpoint,
  ...(sendAt !== undefined && { sendAt }),
  ...(giveUpAt !== undefined && { giveUpAt }),
  ...(contentId !== undefined && { contentId }),
  ...(attachmentCount !== undefined && { attachmentCount }),
  ...(attachmentBytes !== undefined && { attachmentBytes }),
  expiresAt,
});

/**
 * The next attempt of a send by a worker.
 *
 * @param wanted the claim of the same request, as of now: its recipients, sender and words.
 */
export const workersAttempt = (standing: Send, wanted: Send): Send =>
  dueLater(nextAttempt(standing, { ...wanted, ...kept(standing) }));

/** While it is `sending`, workers come back at the end of its window. */
function dueLater({ dueAt: _, ...next }: Send): Send {
  return next.status === 'sending' ? { ...next, dueAt: next.leaseExpiresAt } : next;
}

/** Names an attempt, and says when it begins. */
export type AttemptBegin = {
  readonly claimId: string;
  readonly now: number;
  readonly doubtWindowMs: number;
};

/** The next attempt of a send that may not go out now, for this reason. Its email isn't handed to SES. */
export function refusedAttempt(
  standing: Send,
  { claimId, now, doubtWindowMs }: AttemptBegin,
  reason: string,
): Send {
  const { doubtUntil: _, provenAt: _proven, ...again } = standing;
  const begun = nextAttempt(standing, {
    ...again,
    ...{ status: 'sending', claimId, claimedAt: now, leaseExpiresAt: now + doubtWindowMs },
    updatedAt: now,
  });
  const failure = { attempt: begun.attempt, at: now, reason };
  const { dueAt: _due, ...next } = {
    ...begun,
    attempts: [...begun.attempts, failure].slice(-mostAttemptsKept),
  };
  const after = stateAfterFailure({ ...begun, dueAt: now }, reason, now);
  switch (after.kind) {
    case 'held':
      return { ...next, dueAt: next.leaseExpiresAt };
    case 'postponed':
      return { ...next, status: 'queued', dueAt: after.dueAt };
    case 'failed':
      return { ...next, status: 'failed' };
  }
}
