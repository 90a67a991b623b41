import { type ProviderFact, readSesEvent, subjectOf } from '#shared/events/ses-event';
import { countOf, durationOf, type Metric } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import {
  type EventRecording,
  type RecordOutcome,
  recordEvent,
} from '#shared/send-history/record-event';
import { getSend } from '#shared/send-history/timeline-store';
import { recordProof } from '#shared/sending/send-store';

/**
 * If recording fails, the send is marked as proven: SES took the email, so no retry may take the send over. Only this
 * send is marked, so an event that can never be recorded holds up nothing else.
 *
 * @param hasFailedBefore from the retry queue: the process may have died, and may die again. So the send is marked and
 *   the lag published before anything else is tried.
 * @throws what recording threw.
 */
export async function recordOrMark(
  event: object,
  hasFailedBefore: boolean,
  recording: EventRecording,
  log: RequestLog,
): Promise<RecordOutcome> {
  const isMarked =
    hasFailedBefore &&
    (await markSend(event, recording).then(
      () => true,
      () => false,
    ));
  let unpublished: readonly Metric[] = [];
  try {
    const fact = readSesEvent(event);
    // Measured before recording: while the table fails, each attempt still publishes how late the event is.
    const lag = lagOf(fact, recording.now());
    if (hasFailedBefore) log.debug('provider event read', {}, lag);
    else unpublished = lag;
    // These are rare, and the operator looks for them when the account's rates rise.
    if (fact.kind === 'happened' && harmsReputation.has(fact.type)) log.bind({ event: fact.type });

    const outcome = await recordEvent(fact, recording);
    logOutcome(outcome, fact, unpublished, log);
    return outcome;
  } catch (error) {
    if (!isMarked) {
      await markSend(event, recording).catch((unmarked: unknown) => {
        const metrics = [countOf('ProviderEventNotMarked')];
        log.error('send of an unrecorded event not marked', unmarked, {}, metrics);
      });
    }
    log.error('provider event not recorded', error, {}, unpublished);
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

const lagOf = (fact: ProviderFact, now: number): Metric[] =>
  fact.kind === 'accepted' ? [durationOf('ProviderEventLag', now - fact.at)] : [];

const harmsReputation: ReadonlySet<string> = new Set(['bounced', 'complained']);

function logOutcome(
  outcome: RecordOutcome,
  fact: ProviderFact,
  lag: readonly Metric[],
  log: RequestLog,
): void {
  if (outcome.kind === 'ignored') {
    const ignored = countOf('ProviderEventIgnored', { reason: outcome.reason });
    log.info('provider event ignored', {}, [...lag, ignored]);
    return;
  }
  // The send's timeline has a delivery too, and CloudWatch bills by the byte.
  const isRoutine = fact.kind === 'happened' && fact.type === 'delivered';
  const { feedbackId } = outcome.send;
  log[isRoutine ? 'debug' : 'info']('provider event recorded', { feedbackId }, lag);
}
