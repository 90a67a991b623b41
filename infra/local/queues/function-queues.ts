import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import type { FunctionName } from '../../../functions/endpoints.ts';
import { firstAttemptBatches, senderBatches } from '../../constructs/concurrency.ts';
import {
  sendQueueSettings,
  testEventSettings,
  webhookQueueSettings,
} from '../../constructs/pipelines/queue-settings.ts';
import type { Account } from '../account.ts';
import { TooManyExecutions } from '../gateway/executions.ts';
import { type HandlerLoader, resultOf } from '../gateway/functions.ts';
import { startScheduledRuns } from '../schedule.ts';
import { startQueueTrigger } from './queue-trigger.ts';
import { createQueue } from './queues.ts';

export type FunctionQueueOptions = {
  readonly queueUrl: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
  /** Bounds how many batches are worked on at once. */
  readonly account?: Account | undefined;
};

type Running = { stop(): Promise<void> };

export const createWebhookQueue = (endpoint: string): Promise<string> =>
  createQueue(endpoint, 'webhook-deliveries', webhookQueueSettings);

export const createSendQueue = (endpoint: string): Promise<string> =>
  createQueue(endpoint, 'sends', sendQueueSettings);

export const createTestEventQueue = (endpoint: string): Promise<string> =>
  createQueue(endpoint, 'test-events', testEventSettings);

export function startWebhookDelivery(options: FunctionQueueOptions): Running {
  const { queueUrl, loadHandler, report, account } = options;
  const trigger = startQueueTrigger({
    queueUrl,
    invoke: reporting('deliver-webhooks', options),
    ...(account && { concurrency: firstAttemptBatches(account) }),
    visibilityTimeoutSeconds: webhookQueueSettings.visibilityTimeoutSeconds,
    report: (fault) => report('webhook queue', fault),
  });
  const schedule = startScheduledRuns('retry-due-webhooks', loadHandler, report);
  return {
    stop: async () => {
      const stopped = Promise.all([trigger.stop(), schedule.stop()]);
      // An attempt at a receiver that hangs takes 15 s, too long to wait for after Ctrl-C.
      await Promise.race([stopped, sleep(2_000, undefined, { ref: false })]);
    },
  };
}

export function startSendQueue(options: FunctionQueueOptions): Running {
  const { queueUrl, loadHandler, report, account } = options;
  const trigger = startQueueTrigger({
    queueUrl,
    batchSize: sendQueueSettings.batchSize,
    ...(account && { concurrency: senderBatches(account) }),
    visibilityTimeoutSeconds: sendQueueSettings.visibilityTimeoutSeconds,
    invoke: reporting('send-queued', options),
    report: (fault) => report('send queue', fault),
  });
  const schedule = startScheduledRuns('run-send-queue', loadHandler, report);
  return {
    stop: async () => {
      await Promise.all([trigger.stop(), schedule.stop()]);
    },
  };
}

export const startTestEvents = ({ queueUrl, loadHandler, report }: FunctionQueueOptions): Running =>
  startQueueTrigger({
    queueUrl,
    invoke: (event) => resultOf(loadHandler, 'record-test-events', event),
    report: (fault) => report('test events', fault),
    concurrency: testEventSettings.concurrentBatches,
    visibilityTimeoutSeconds: testEventSettings.visibilityTimeoutSeconds,
  });

/** The trigger itself doesn't report a batch that failed. */
const reporting =
  (name: FunctionName, { loadHandler, report }: FunctionQueueOptions) =>
  async (event: SQSEvent): Promise<unknown> => {
    try {
      return await resultOf(loadHandler, name, event);
    } catch (fault) {
      // It's tried again until there's an execution for it.
      if (!(fault instanceof TooManyExecutions)) report(name, fault);
      throw fault;
    }
  };
