import { type ProviderFact, readSesEvent, subjectOf } from '#shared/events/ses-event';
import { recordProof } from '#shared/sending/send-store';
import { type EventRecording, type RecordOutcome, recordEvent } from '#shared/sends/record-event';
import { getSend } from '#shared/sends/timeline-store';

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
  recording: EventRecording,
  { onFact, onUnmarked }: EventObserver,
): Promise<RecordOutcome> {
  const isMarked =
    hasFailedBefore &&
    (await markSend(event, recording).then(
      () => true,
      () => false,
    ));
  try {
    const fact = readSesEvent(event);
    onFact(fact);
    return await recordEvent(fact, recording);
  } catch (error) {
    if (!isMarked) await markSend(event, recording).catch(onUnmarked);
    throw error;
  }
}

async function markSend(event: object, { table, now }: EventRecording): Promise<void> {
  const subject = subjectOf(event);
  if (subject === undefined) return;
  const send = await getSend(table, subject.feedbackId, now());
  if (send === undefined) return;
  await recordProof(table, send, now(), subject.providerMessageId);
}
