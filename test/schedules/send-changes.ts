import { deliveredMessageOf, eventAttributesOf } from '#shared/sending/event-attributes';
import { contentPlace } from '#shared/sending/later/send-later';
import {
  failureOf,
  isTakeover,
  isWaiting,
  mayEarlierBeProven,
  type Send,
} from '#shared/sending/send';
import { toSend } from '#shared/sending/send-items';
import { isExpired } from '#shared/table/expiry';
import { sendSortKey } from '#shared/table/send-keys';
import type { StoredItem } from '#shared/table/table-client';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { isForgotten, type Ledger, sentOut } from './ledger.ts';
import { keyInBucket } from './simulated-bucket.ts';
import type { TableChange } from './table-feed.ts';

/** Reports what is wrong with a change. */
type Complain = (rule: string) => void;

const known = new WeakMap<StoredItem, Send>();

/** The send of an item, parsed once. */
export function sendIn(item: StoredItem): Send {
  const send = known.get(item) ?? toSend(item);
  known.set(item, send);
  return send;
}

/** Checks one change of a send against its states as `send.ts` draws them, and against the truth. */
export function checkSendChange(change: TableChange, ledger: Ledger): void {
  if (change.key.sk !== sendSortKey || change.after === undefined) return;
  const after = sendIn(change.after);
  const before = change.before && sendIn(change.before);
  const complain: Complain = (rule) => ledger.violate(rule, inWords(before, after, change));
  ledger.sends.set(after.feedbackId, after);

  const isNewSend = before?.id !== after.id;
  const isClaim = before?.claimId !== after.claimId;
  checkContent(after, ledger, complain);
  if (before && !isNewSend) checkEvents(before, after, complain);
  if (isClaim && after.attempt > (isNewSend ? 0 : (before?.attempt ?? 0))) {
    const { feedbackId, claimId, attempt, leaseExpiresAt, expiresAt } = after;
    const isPlan = isWaiting(after);
    const claim = { feedbackId, claimId, attempt, leaseExpiresAt, expiresAt, isPlan };
    ledger.claims.push({ ...claim, sandbox: change.by, at: change.at });
    if (after.status === 'sending' && isTakeover(after)) ledger.takeovers += 1;
  }
  const ending = endingOf(before, after);
  const { feedbackId, attempt, expiresAt } = after;
  // An attempt that workers gave up may still record its failure: it's the same message to the same subscribers.
  const isReported = ledger.endings.some(
    (one) => one.feedbackId === feedbackId && one.attempt === attempt && one.what === ending,
  );
  if (ending !== undefined && !isReported) {
    ledger.endings.push({ feedbackId, attempt, what: ending, expiresAt });
  }
  if (isNewSend) checkNewSend(change, after, complain);
  else if (after.status === 'canceled') checkCanceled(before, after, complain);
  else if (isClaim && isPlanned(before, after)) checkPlan(before, after, complain);
  else if (isClaim) checkNextAttempt(before, after, change, ledger, complain);
  else checkProgress(before, after, change, ledger, complain);
}

/** What the simulated SES says when it refuses an email permanently. Its other refusals can be retried. */
const refusal = 'MessageRejected';

function endingOf(before: Send | undefined, after: Send): string | undefined {
  const isClaim = before?.claimId !== after.claimId;
  const isOfWorkers = before?.dueAt !== undefined;
  if (after.status === 'canceled') return before?.status === 'canceled' ? undefined : 'canceled';
  if (isClaim) {
    // What a worker may not send ends without an attempt at SES.
    const hasFailed = isOfWorkers && after.status === 'failed';
    if (after.status === 'suppressed') return 'suppressed';
    return hasFailed ? 'failed' : undefined;
  }
  const isGivenUp =
    isOfWorkers && after.dueAt === undefined && after.status === 'sending' && !after.provenAt;
  if (isGivenUp) return 'failed';
  if (before.status === after.status || after.status !== 'failed') return undefined;
  if (before.status === 'sent') return `failed ${before.providerMessageId}`;
  // A worker's caller isn't there to retry anything.
  return isOfWorkers || after.attempts.at(-1)?.reason === refusal ? 'failed' : undefined;
}

function checkNewSend({ before }: TableChange, after: Send, complain: Complain): void {
  const isSlotFree = before === undefined || isExpired(before, after.claimedAt);
  if (!isSlotFree) complain('a send is forgotten only when it has expired');
  if (after.attempt !== (isWaiting(after) ? 0 : 1)) complain('a new send makes its first attempt');
  if (after.attempts.length > 0) complain('a new send has no failures yet');
  if (!['sending', 'suppressed', 'scheduled', 'queued'].includes(after.status)) {
    complain('a new send is not settled yet');
  }
}

/** For any change of a send: times only become earlier, and fetches only more. */
function checkEvents(before: Send, after: Send, complain: Complain): void {
  const {
    opens: opensBefore = 0,
    deliveredOf: _,
    bounceReason: _reason,
    isUndetermined: _kind,
    ...moments
  } = eventAttributesOf(before);
  const events = new Map(Object.entries(eventAttributesOf(after)));
  const isKept = Object.entries(moments).every(
    ([name, at = 0]) => Number(events.get(name) ?? Number.NaN) <= at,
  );
  const isOfSame =
    before.deliveredAt === undefined || deliveredMessageOf(before) === deliveredMessageOf(after);
  if (!isKept || !isOfSame || (after.opens ?? 0) < opensBefore) complain('events of a send stay');
}

const hasNewEvents = (before: Send, after: Send): boolean =>
  JSON.stringify(eventAttributesOf(before)) !== JSON.stringify(eventAttributesOf(after));

/** Workers must find what waits, and its request: see `final-checks.ts` for the index. */
function checkContent(send: Send, ledger: Ledger, complain: Complain): void {
  const { dueAt, attempts } = send;
  const isMissing = attempts.some(({ reason }) => reason === 'ContentMissing');
  if (isMissing && !isOfLateCopy(send, ledger)) complain('what waits has its content');
  if (dueAt !== undefined && !Number.isSafeInteger(dueAt)) complain('what waits is due some time');
}

/**
 * A copy of a claim that had lost, and dropped its content, may be stored when the slot is free again: after minutes
 * here, where sends are forgotten as soon.
 */
function isOfLateCopy({ id, feedbackId, contentId = '' }: Send, ledger: Ledger): boolean {
  const place = contentPlace(organizationIdOf(id), contentId);
  const deletedAt = ledger.deletedContents.get(keyInBucket(place)) ?? Infinity;
  const claims = ledger.claims.filter((claim) => claim.feedbackId === feedbackId);
  return claims.every(({ at }) => at > deletedAt);
}

/** Somebody canceled it. */
function checkCanceled(before: Send, after: Send, complain: Complain): void {
  if (!isWaiting(before)) complain('only what waits is called off');
  if (before.provenAt !== undefined) complain('what is out is not called off');
  if (after.dueAt !== undefined) complain('nobody looks at what was called off');
}

/** Whether no attempt began or was refused. */
const isPlanned = (before: Send, after: Send): boolean =>
  after.attempt === before.attempt || (isWaiting(after) && failureOf(after) === undefined);

/** It was moved, or a retry queued a failed one again. */
function checkPlan(before: Send, after: Send, complain: Complain): void {
  const isOver = before.status === 'sending' && before.leaseExpiresAt <= after.claimedAt;
  const mayWait =
    isWaiting(before) || before.status === 'failed' || (isOver && before.dueAt === undefined);
  if (after.attempt !== before.attempt + (isWaiting(before) ? 0 : 1)) {
    complain('attempts are counted one by one');
  }
  if (!isWaiting(after) || !mayWait) complain('only what waits or failed is planned anew');
  if (before.provenAt !== undefined) complain('what was proven to be out does not wait');
}

function checkNextAttempt(
  before: Send,
  after: Send,
  { at }: TableChange,
  ledger: Ledger,
  complain: Complain,
): void {
  const isDue = isWaiting(before) && (before.dueAt ?? Infinity) <= after.claimedAt;
  if (isWaiting(before) && !isDue) complain('what waits is not sent before it is due');
  const isLeaseOver = before.status === 'sending' && before.leaseExpiresAt <= after.claimedAt;
  const mayGoOn = before.status === 'failed' || isLeaseOver || isDue;
  if (!mayGoOn) complain('the next attempt waits for the lease of the last');
  if (before.provenAt !== undefined) complain('what was proven to be out is not tried again');
  if (
    before.dueAt !== undefined &&
    after.claimId !== before.claimId &&
    !isOfWorker(before, after)
  ) {
    complain('what waits is sent by workers alone');
  }
  if (failureOf(before) === undefined && after.fingerprint !== before.fingerprint) {
    complain('another request does not take over what is in doubt');
  }
  if (after.attempt !== before.attempt + 1) complain('attempts are counted one by one');
  const mayEnd = before.dueAt !== undefined ? ['failed', 'queued'] : [];
  if (!['sending', 'suppressed', ...mayEnd].includes(after.status)) {
    complain('an attempt is not settled yet');
  }
  if (!keepsAttempts(before, after)) complain('failures stay in the timeline');
  for (const taken of sentOut(ledger, after.feedbackId)) {
    // A copy of a request that arrives when the send has expired starts another life of it.
    if (isForgotten(ledger, taken, at)) continue;
    const its = ledger.claims.find(({ sandbox }) => sandbox === taken.sandbox)?.attempt ?? 0;
    // The lease of the attempt that took over ends later, and must be over too. A plan has none: it calls nobody.
    const [own, takeover] = ledger.claims.filter(
      ({ feedbackId, attempt, isPlan }) =>
        feedbackId === after.feedbackId && !isPlan && its <= attempt && attempt < after.attempt,
    );
    const last = takeover ?? own;
    const isWaitedFor = last !== undefined && last.leaseExpiresAt <= after.claimedAt;
    if (!isWaitedFor) complain('an attempt in doubt is waited for');
  }
}

/** Within one attempt. */
function checkProgress(
  before: Send,
  after: Send,
  { by, at }: TableChange,
  ledger: Ledger,
  complain: Complain,
): void {
  const added = after.attempts.length - before.attempts.length;
  if (after.attempt !== before.attempt) complain('an attempt keeps its number');
  if (!keepsAttempts(before, after)) complain('failures stay in the timeline');
  if (added > 1 || hasDuplicates(after)) complain('a failure is recorded once');
  const isProofNew = before.provenAt === undefined && after.provenAt !== undefined;
  const isOut = ledger.taken.some(
    ({ feedbackId, messageId }) =>
      feedbackId === after.feedbackId &&
      !before.attempts.some(({ providerMessageId }) => providerMessageId === messageId),
  );
  if (isProofNew && !isOut) complain('only an email that is out is proven');
  if (isProofNew) ledger.proven.add(after.feedbackId);

  const failure = added === 1 ? after.attempts.at(-1) : undefined;
  switch (`${before.status} → ${after.status}`) {
    case 'scheduled → sent':
    case 'queued → sent':
      checkAcceptance(before, after, at, ledger, complain);
      return;
    case 'scheduled → scheduled':
    case 'queued → queued':
      if (!isProofNew && !hasNewEvents(before, after) && after.dueAt !== undefined) {
        complain('a send waits without a change');
      }
      return;
    case 'sending → queued':
    case 'sending → sending':
    case 'sending → failed': {
      if (failure === undefined && after.status === 'failed') complain('a failure has a reason');
      if (failure === undefined) return;
      const claimant = ledger.claims.find(({ claimId }) => claimId === after.claimId)?.sandbox;
      if (by) ledger.failed.set(by, after.status === 'sending' ? 'held' : 'failed');
      if (by !== claimant) complain('no attempt speaks for another');
      if (before.provenAt !== undefined) complain('what was proven to be out does not fail');
      const isHeld = after.status === 'sending';
      if (!isHeld && mayEarlierBeProven(before, after.updatedAt))
        complain('a send in doubt does not fail');
      if (sentOut(ledger, after.feedbackId).some((taken) => taken.sandbox === by)) {
        complain('an attempt whose email SES took does not fail');
      }
      return;
    }
    case 'sending → sent':
    case 'failed → sent':
    case 'suppressed → sent':
      checkAcceptance(before, after, at, ledger, complain);
      return;
    case 'sent → sent':
      if (after.providerMessageId !== before.providerMessageId) complain('a sent send stays so');
      return;
    case 'sent → failed': {
      const rejected = ledger.taken.find(({ messageId }) => messageId === before.providerMessageId);
      if (!rejected?.isRejected) complain('only what SES rejects fails after it was sent');
      if (failure?.providerMessageId !== before.providerMessageId) {
        complain('a rejected message stays in the timeline');
      }
      return;
    }
    case 'failed → failed':
    case 'suppressed → suppressed':
      if (!isProofNew && !hasNewEvents(before, after)) {
        complain('a settled send changes by events only');
      }
      return;
    default:
      complain('there is no such change of status');
  }
}

function checkAcceptance(
  before: Send,
  { providerMessageId, feedbackId }: Send,
  at: number,
  ledger: Ledger,
  complain: Complain,
): void {
  const taken = ledger.taken.find(({ messageId }) => messageId === providerMessageId);
  if (taken?.feedbackId !== feedbackId || taken.at > at) {
    complain('only a message that SES took settles its send');
  }
  if (before.attempts.some((failed) => failed.providerMessageId === providerMessageId)) {
    complain('a rejected message does not come back');
  }
}

/** Workers keep what the request was for; requests bring no content of workers. */
const isOfWorker = (before: Send, after: Send): boolean => after.contentId === before.contentId;

/** No schedule makes more attempts than a send keeps. */
const keepsAttempts = (before: Send, after: Send): boolean =>
  before.attempts.every(
    (kept, index) => JSON.stringify(kept) === JSON.stringify(after.attempts[index]),
  );

const hasDuplicates = ({ attempts }: Send): boolean =>
  new Set(attempts.map((failed) => `${failed.attempt} ${failed.providerMessageId}`)).size <
  attempts.length;

function inWords(before: Send | undefined, after: Send, { by }: TableChange): string {
  const stateOf = (send: Send | undefined) =>
    send
      ? `${send.status} (attempt ${send.attempt}, ${send.attempts.length} failed, ${send.providerMessageId ?? 'no message'})`
      : 'nothing';
  return `${by?.subject ?? ''}: ${stateOf(before)} → ${stateOf(after)} by ${by?.name ?? 'nobody'}`;
}
