import { type ProviderFact, readSesEvent, subjectOf } from '#shared/events/ses-event';
import { type EventRecording, type RecordOutcome, recordEvent } from '#shared/sends/record-event';

export type EventObserver = {
  /** Called before the event is recorded. */
  onFact(fact: ProviderFact): void;
  /** Neither recorded nor marked on its send. */
  onUnmarked(error: unknown): void;
};

/**
 * If recording fails, the send is marked as proven: SES took the email, so no retry may take the send over. Only this
 * send is marked, so an event that can never be recorded holds up nothing else.
 *
 * An event that failed before marks its send first: the process may have died then, and may die again.
 *
 * @throws what recording threw.
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
    return await recordEvent(fact, intake);
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
