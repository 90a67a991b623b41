import { providerEventEnvironment } from '#shared/config/environment';
import { recordingTimeoutSeconds } from '#shared/config/event-retry-plan';
import { defineFunction } from '#shared/endpoints/background-function';
import type { BatchResponse } from '#shared/endpoints/serve-background';
import { openEventReceiving, receiveNotification } from './receive-notification.ts';
import { retryQueuedEvents } from './retry-queued-events.ts';
import { invocationSchema } from './schema.ts';

/**
 * Receives SES's events from the topic, and those that failed before from the retry queue. If it throws on the topic's
 * event, Lambda puts that into the retry queue.
 */
export const backgroundFunction = defineFunction(
  {
    trigger: 'provider-events',
    event: invocationSchema,
    uses: openEventReceiving,
    lambda: {
      environment: providerEventEnvironment,
      tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      queriesIndexes: ['gsi1', 'gsi2'],
      wakesWebhookQueue: true,
      reservation: 'events',
      /** It makes a handful of calls, so a run that takes longer is stuck. */
      timeoutSeconds: recordingTimeoutSeconds,
    },
  },
  async (invocation, receiving): Promise<BatchResponse | undefined> => {
    if (invocation.from === 'queue') {
      const failed = await retryQueuedEvents(invocation.messages, receiving);
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
    }
    for (const notification of invocation.notifications) {
      await receiveNotification(notification, receiving);
    }
    return undefined;
  },
);
