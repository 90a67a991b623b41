import * as z from 'zod/mini';
import { knowsRetention } from '#shared/aws/settings';
import { defineFunction } from '#shared/endpoints/background-function';
import { type ProviderFact, readSesEvent } from '#shared/events/ses-event';
import { type EventRecording, recordEvent } from '#shared/send-history/record-event';
import { type WakeQueue, wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

type TestEventRecording = EventRecording & { readonly wakeQueue: WakeQueue };

export const testEventsSchema = z.object({ events: z.array(z.unknown()) });

/** Like `record-provider-event`, for emails that SES never got. No reservation, as nothing real waits for it. */
export const backgroundFunction = defineFunction(
  {
    trigger: 'test-events',
    message: testEventsSchema,
    failure: 'test events not recorded',
    uses: { sendRetentionDays: knowsRetention, wakeQueue: wakesWebhooks },
    lambda: {
      tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      queriesIndexes: ['gsi1'],
      timeoutSeconds: 30,
    },
  },
  (recording) => (message) => recordTestEvents(message, recording),
);

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
