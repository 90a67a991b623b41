import type { BatchResponse } from '#shared/endpoints/serve-background';
import type { QueuedMessage } from '../../functions/record-provider-event/schema.ts';
import { eventRetrySettings } from '../../infra/constructs/pipelines/queue-settings.ts';

type Stored = { id: string; body: string; visibleAt: number; receives: number; sentAt: number };

/** The function, as the poller invokes it. It throws when it dies. */
export type QueueInvocation = (event: {
  readonly Records: readonly QueuedMessage[];
}) => Promise<BatchResponse | undefined>;

/**
 * The retry queue, its dead letters and Lambda's poller on a virtual clock, with the settings of the stack.
 *
 * Source: SQS guide, "Visibility timeout" and "Dead-letter queues"; Lambda guide, "Partial batch responses".
 */
export function openSimulatedRetryQueue(startAt: number) {
  let now = startAt;
  let sent = 0;
  let stored: Stored[] = [];
  let deadLetters: Stored[] = [];

  const put = (body: string) => {
    sent += 1;
    stored.push({ id: `message-${sent}`, body, visibleAt: now, receives: 0, sentAt: now });
  };

  const receive = (): Stored[] => {
    const batch: Stored[] = [];
    for (const message of stored.filter(({ visibleAt }) => visibleAt <= now)) {
      if (message.receives === eventRetrySettings.maxReceiveCount) {
        stored = stored.filter((other) => other !== message);
        deadLetters.push({ ...message, visibleAt: now });
      } else if (batch.length < eventRetrySettings.batchSize) {
        message.receives += 1;
        message.visibleAt = now + eventRetrySettings.visibilityTimeoutSeconds * 1_000;
        batch.push(message);
      }
    }
    return batch;
  };

  const work = async (invoke: QueueInvocation): Promise<void> => {
    const batch = receive();
    if (batch.length === 0) return;
    const Records = batch.map(({ id, body, receives }) => ({
      messageId: id,
      receiptHandle: id,
      body,
      attributes: { ApproximateReceiveCount: receives },
    }));
    const response = await invoke({ Records }).catch(() => 'died' as const);
    if (response === 'died') return;
    const failed = new Set(response?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const done = batch.filter(({ id }) => !failed.has(id));
    stored = stored.filter((message) => !done.includes(message));
  };

  return {
    now: () => now,
    put,
    /** Sets when a message is received again, as `RetryQueue.postpone`. */
    postpone: async (receiptHandle: string, seconds: number): Promise<void> => {
      const message = stored.find(({ id }) => id === receiptHandle);
      if (message) message.visibleAt = now + seconds * 1_000;
    },
    /** Lets time pass, and invokes the function whenever a message is visible. */
    runUntil: async (end: number, invoke: QueueInvocation): Promise<void> => {
      for (;;) {
        const next = Math.min(...stored.map(({ visibleAt }) => visibleAt));
        if (next > end) break;
        now = Math.max(now, next);
        await work(invoke);
      }
      now = end;
    },
    waiting: () => stored.length,
    /** How long each dead letter had been in the queue, in hours. */
    hoursOfDeadLetters: () =>
      deadLetters.map(({ sentAt, visibleAt }) => (visibleAt - sentAt) / 3_600_000),
    /** SQS's own redrive: each message is a new one (SQS guide, "dead-letter queue redrive"). */
    redrive: (): void => {
      for (const { body } of deadLetters) put(body);
      deadLetters = [];
    },
  };
}
