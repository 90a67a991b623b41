import { describe, expect, it } from 'vitest';
import { putOrganization } from '#shared/organizations/organization-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import type { Send } from '#shared/sending/send';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import type { DeliveryReference } from '#shared/webhook-deliveries/delivery';
import {
  type EventReceiving,
  receiveNotification,
} from '../../../functions/record-provider-event/receive-notification.ts';
import { retryQueuedEvents } from '../../../functions/record-provider-event/retry-queued-events.ts';
import { recordOfFailure } from '../../../infra/local/ses/event-intake.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { buildClaim, claimSend } from '../../support/claim-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildSesEvent, buildSesMail } from '../../support/ses-event-builder.ts';
import {
  openSimulatedRetryQueue,
  type QueueInvocation,
} from '../../support/simulated-retry-queue.ts';

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:provider-events';
const hour = 3_600_000;
const startAt = 1_750_000_000_000;

/**
 * How the intake is down.
 *
 * - `fails`: it runs, and the table does not answer.
 * - `dies`: it does not come to say anything.
 * - `is unreachable`: neither SNS nor the poller gets it to run.
 */
type Outage = 'fails' | 'dies' | 'is unreachable';

/** An organization with one webhook endpoint, and an intake that is down from the start until `outageEnd`. */
async function openWorld(outage: Outage, outageEnd: number) {
  const queue = openSimulatedRetryQueue(startAt);
  const isDown = () => queue.now() < outageEnd;
  let isReady = false;
  const { table } = openMemoryTable({
    intercept: async (_call, run) => {
      if (isReady && isDown()) throw new Error('the table does not answer');
      return run();
    },
  });
  const organizationId = newOrganizationId();
  const webhooks = { [newWebhookId(organizationId)]: { eventTypes: [] } };
  await putOrganization(table, buildOrganization({ id: organizationId, webhooks }));
  const sends = Array.from({ length: 8 }, (_, index) =>
    buildClaim({ organizationId, claimedAt: startAt, idempotencyKey: `key-${index}` }),
  );
  for (const send of sends) await claimSend(table, send);
  isReady = true;

  const woken: DeliveryReference[] = [];
  const recordedAt: number[] = [];
  const receiving: EventReceiving = {
    topicArn,
    table,
    now: queue.now,
    sendRetentionDays: 90,
    wakeQueue: async (deliveries) => {
      woken.push(...deliveries);
      recordedAt.push(queue.now());
    },
    retries: { postpone: queue.postpone },
  };
  const invoke: QueueInvocation = async ({ Records }) => {
    if (isDown() && outage !== 'fails') throw new Error(outage);
    const failed = await retryQueuedEvents(Records, receiving);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
  /** SNS invokes the function. What fails, Lambda or SNS puts into the queue. */
  const publish = async (event: object): Promise<void> => {
    const Sns = { TopicArn: topicArn, MessageId: 'notification', Message: JSON.stringify(event) };
    if (isDown() && outage === 'is unreachable') {
      return queue.put(JSON.stringify({ Type: 'Notification', ...Sns }));
    }
    try {
      if (isDown() && outage === 'dies') throw new Error(outage);
      await receiveNotification(Sns, receiving);
    } catch (error) {
      queue.put(
        JSON.stringify(recordOfFailure({ Records: [{ EventSource: 'aws:sns', Sns }] }, error)),
      );
    }
  };
  return { queue, table, sends, woken, recordedAt, invoke, publish };
}

const eventsOf = (send: Send) => {
  const tags = { 'feedback-id': [send.feedbackId] };
  const mail = buildSesMail({ messageId: `message-of-${send.id}`, tags });
  return (['Send', 'Delivery', 'Complaint'] as const).map((type) => buildSesEvent(type, { mail }));
};

describe.each<Outage>(['fails', 'dies', 'is unreachable'])('an intake that %s', (outage) => {
  it('for six hours records every event once, within three minutes after it recovers', async () => {
    captureOutput();
    const outageEnd = startAt + 6 * hour;
    const { queue, table, sends, woken, recordedAt, invoke, publish } = await openWorld(
      outage,
      outageEnd,
    );

    for (const [index, send] of sends.entries()) {
      await queue.runUntil(startAt + (index / sends.length) * 6 * hour, invoke);
      for (const event of eventsOf(send)) await publish(event);
    }
    await queue.runUntil(startAt + 7 * hour, invoke);

    const timelines = await Promise.all(sends.map(({ id }) => getTimeline(table, id, queue.now())));
    for (const timeline of timelines) {
      expect(timeline?.send.status).toBe('sent');
      expect(timeline?.events.map(({ type }) => type)).toEqual(['sent', 'delivered', 'complained']);
      expect(timeline?.deliveries).toHaveLength(3);
    }
    // Beside three for each send, one for the address that its first complaint has suppressed.
    expect(woken).toHaveLength(3 * sends.length + 1);
    expect(new Set(woken.map(({ id }) => id)).size).toBe(woken.length);
    expect(Math.max(...recordedAt)).toBeLessThanOrEqual(outageEnd + 180_000);
    expect(queue.waiting()).toBe(0);
    expect(queue.hoursOfDeadLetters()).toEqual([]);
  });

  it('for three days gives up no event within a day, and records redriven ones later', async () => {
    captureOutput();
    const { queue, table, sends, invoke, publish } = await openWorld(outage, startAt + 72 * hour);
    const [send] = sends;
    if (send === undefined) throw new Error('there is no send');

    for (const event of eventsOf(send)) await publish(event);
    await queue.runUntil(startAt + 73 * hour, invoke);
    const givenUpAfter = queue.hoursOfDeadLetters();
    queue.redrive();
    await queue.runUntil(startAt + 74 * hour, invoke);

    expect(givenUpAfter).toHaveLength(3);
    expect(Math.min(...givenUpAfter)).toBeGreaterThanOrEqual(24);
    const timeline = await getTimeline(table, send.id, queue.now());
    expect(timeline?.events.map(({ type }) => type)).toEqual(['sent', 'delivered', 'complained']);
    expect(queue.waiting()).toBe(0);
  });
});
