import * as z from 'zod/mini';
import { type ProviderFact, readSesEvent } from '#shared/events/ses-event';
import { type EventRecording, recordEvent } from '#shared/send-history/record-event';
import type { Delivery } from '#shared/webhook-deliveries/delivery';

type TestEventRecording = EventRecording & {
  readonly wakeQueue: (deliveries: readonly Delivery[]) => Promise<void>;
};

export const testEventsSchema = z.object({ events: z.array(z.unknown()) });

/**
 * Records the events of one test email, in order, the way SES's own are recorded. Each step may be repeated.
 *
 * @throws whatever kept an event from being recorded.
 */
export async function recordTestEvents(
  { events }: z.output<typeof testEventsSchema>,
  recording: TestEventRecording,
): Promise<void> {
  for (const event of events) {
    const outcome = await recordEvent(suppressingNobody(readSesEvent(event)), recording);
    if (outcome.kind === 'recorded') await recording.wakeQueue(outcome.deliveries);
  }
}

/** An address that a test email bounces for still gets real ones. */
const suppressingNobody = (fact: ProviderFact): ProviderFact =>
  fact.kind === 'happened' ? { ...fact, suppression: undefined } : fact;
