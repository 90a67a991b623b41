import { type ProviderFact, readSesEvent, subjectOf } from '#shared/events/ses-event';
import type { EventRecording } from '#shared/sends/event-recording';
import { type RecordOutcome, recordProviderEvent } from '#shared/sends/record-provider-event';

/** Gets what becomes of an event. */
export type EventObserver = {
  /** What the event says, before it is recorded. */
  onFact(fact: ProviderFact): void;
  /** The event was not recorded, and its send is not marked either. */
  onUnmarked(error: unknown): void;
};

/**
 * Records an event as SES publishes it. If that fails, it marks the send as proven: whatever is wrong with the event or
 * the table, SES took the email, and no retry may take the send over. The mark is on this send alone, so an event that can
 * never be recorded holds up nothing else.
 *
 * An event that failed before marks its send first. The process may have died then, and may die again.
 *
 * @throws whatever kept the event from being recorded.
 */
export async function recordOrMark(
  event: object,
  hasFailedBefore: boolean,
  intake: EventRecording,
  { onFact, onUnmarked }: EventObserver,
): Promise<RecordOutcome> {
  const isMarked =
    hasFailedBefore &&
    (await markSend(event, intake).then(
      () => true,
      () => false,
    ));
  try {
    const fact = readSesEvent(event);
    onFact(fact);
    return await recordProviderEvent(fact, intake);
  } catch (error) {
    if (!isMarked) await markSend(event, intake).catch(onUnmarked);
    throw error;
  }
}

async function markSend(
  event: object,
  { timelines, settlements, now }: EventRecording,
): Promise<void> {
  const subject = subjectOf(event);
  if (subject === undefined) return;
  const send = await timelines.getSend(subject.feedbackId, now());
  if (send !== undefined) await settlements.recordProof(send, now(), subject.providerMessageId);
}
