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

// A send that goes out later, or through the queue. Its item is all there is to know, and its entry in the index of
// what is due (`dueAt`) is the queue: a message of SQS only says when to look. The request waits in the bucket.
//
// Workers send it as a client does that retries with the key: each attempt is a claim, which requires the send as read
// and raises `attempt`. So a worker that dies, freezes or gets a message twice costs nothing but time, and a move or a
// cancellation happens before an attempt, or not at all.
//
// | the send             | `dueAt`                                                            |
// |----------------------|--------------------------------------------------------------------|
// | `scheduled`          | when it is to go out                                               |
// | `queued`             | at once; after an attempt that sent nothing, when to try again     |
// | `sending`            | the end of the attempt's window: by then it is proven, or was lost |
// | anything else        | none: workers are done with it                                     |

export const longestAheadDays = 30;
export const longestAheadMs = longestAheadDays * dayMs;

type WaitingVerdict =
  | 'attempt'
  | 'too_early'
  /** Workers are done with it. */
  | 'over'
  /** Nothing more is to be tried; only the index entry is left to remove. */
  | 'release';

export function judgeWaiting(send: Send, now: number): WaitingVerdict {
  const { dueAt, status, giveUpAt = Number.POSITIVE_INFINITY } = send;
  if (dueAt === undefined) return 'over';
  // Its email is out, though its message id isn't known yet.
  if (stateAt(send, now).status === 'sent') return 'release';
  if (now < dueAt) return 'too_early';
  // It stays in doubt; a retry with the key may take it over.
  if (status === 'sending' && now >= giveUpAt) return 'release';
  return 'attempt';
}

/** No attempt is under way, and none may be proven accepted. */
export const mayChangePlan = (send: Send, now: number): boolean =>
  isWaiting(send) && stateAt(send, now).status !== 'sent' && !mayEarlierBeProven(send, now);

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

/** Reasons that another attempt may overcome. All others are final. */
const passing = new Set<string>([
  'Throttled',
  'Unreachable',
  'organization_rate_limited',
  'daily_recipients_exhausted',
]);

const firstPauseMs = 15_000;
const longestPauseMs = 300_000;

/** Grows with each attempt. The jitter follows from the slot: a repeated write writes the same. */
function pauseAfter({ attempt, id }: Send): number {
  const ceiling = backoffCeiling(attempt, firstPauseMs, longestPauseMs);
  const jitter = hash('sha256', `${slotIdIn(id)} ${attempt}`, 'buffer').readUInt32BE() / 2 ** 32;
  return Math.round(ceiling * (0.5 + jitter / 2));
}

/** Attributes that an item has only while workers send it, with its entry in the index. */
export const waitingAttributes = 'dueAt, gsi1pk, gsi1sk';

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

/** @param wanted the claim of the same request, as of now: its recipients, sender and words. */
export const workersAttempt = (standing: Send, wanted: Send): Send =>
  dueLater(nextAttempt(standing, { ...wanted, ...kept(standing) }));

/** While it is `sending`, workers come back at the end of its window. */
function dueLater({ dueAt: _, ...next }: Send): Send {
  return next.status === 'sending' ? { ...next, dueAt: next.leaseExpiresAt } : next;
}

type AttemptBegin = {
  readonly claimId: string;
  readonly now: number;
  readonly doubtWindowMs: number;
};

/** An attempt that isn't handed to SES: the send may not go out now, for this reason. */
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
