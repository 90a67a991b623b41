import { getTimeline, type Timeline } from '#shared/send-history/timeline-store';
import { waitingPlaceOf } from '#shared/sending/later/send-later';
import { isWaiting, type Send, stateAt } from '#shared/sending/send';
import { checkEvents, checkListedOutcome, checkOutbox, checkOutcome } from './event-checks.ts';
import { compare, type Ledger, sentOut } from './ledger.ts';
import { keyInBucket } from './simulated-bucket.ts';
import type { World } from './world.ts';

/** Checks each send at the very end: one email, one state, one complete timeline. */
export async function checkSends(world: World): Promise<void> {
  const { ledger, table, scheduler } = world;
  checkNothingLeft(ledger);
  for (const send of ledger.sends.values()) {
    checkOnce(send, ledger);
    checkContentGone(send, ledger);
    const timeline = await getTimeline(table, send.id, scheduler.now());
    // It has expired. Another send may have its slot by now.
    if (timeline === undefined) continue;
    checkState(timeline.send, world);
    checkMessages(timeline, ledger);
    checkEvents(timeline, world);
    checkOutcome(timeline, world);
    await checkListedOutcome(timeline, world);
    checkOutbox(timeline, world);
  }
}

/** The bucket doesn't keep what workers will no longer send. */
function checkContentGone(send: Send, ledger: Ledger): void {
  const { contents, deletedContents, hasLostMessages } = ledger;
  const place = waitingPlaceOf(send);
  if (hasLostMessages || place === undefined) return;
  const key = keyInBucket(place);
  if (!contents.has(key) || deletedContents.has(key)) return;
  ledger.violate('what is over leaves no content', send.idempotencyKey ?? 'no key');
}

/** Where nothing died and no call was lost or repeated, the bucket is empty, even of what no send names any longer. */
function checkNothingLeft({ contents, faults, violate }: Ledger): void {
  const isCalm = [...faults.keys()].every((kind) => kind === 'slow');
  if (isCalm && contents.size > 0) violate('what no send names is deleted', `${contents.size}`);
}

function checkOnce({ feedbackId }: Send, ledger: Ledger): void {
  const out = sentOut(ledger, feedbackId);
  const ids = out.map(({ messageId }) => messageId).join(', ');
  if (out.length > 1) {
    ledger.violate('one email per key', `${out[0]?.subject} went out as ${ids}`, true);
  }
}

function checkState(send: Send, { ledger, scheduler }: World): void {
  const { status } = stateAt(send, scheduler.now());
  const out = sentOut(ledger, send.feedbackId);
  const detail = `${send.idempotencyKey ?? 'no key'} is ${status}`;
  if (status === 'sending' || isWaiting(send)) ledger.violate('nothing is stuck', detail);
  if (send.dueAt !== undefined) ledger.violate('workers are done with everything', detail);
  if (ledger.canceled.has(send.feedbackId) && out.length > 0) {
    ledger.violate('what was canceled never goes out', detail, true);
  }
  if (out.length === 0 && status === 'sent') ledger.violate('what is sent is out', detail);
  if (out.length > 0 && status !== 'sent') ledger.violate('what is out is sent', detail);
}

function checkMessages({ send, messages, events }: Timeline, ledger: Ledger): void {
  const taken = ledger.taken
    .filter(({ feedbackId }) => feedbackId === send.feedbackId)
    .map(({ messageId }) => messageId);
  const sent = events.flatMap(({ type, providerMessageId = '' }) =>
    type === 'sent' ? [providerMessageId] : [],
  );
  const ids = messages.map(({ providerMessageId }) => providerMessageId);
  compare('each message is once in the timeline', ids, taken, ledger);
  compare('each message has one sent event', sent, taken, ledger);
}
