import { setTimeout as sleep } from 'node:timers/promises';
import { webhookQueueSettings } from '../../constructs/pipelines/webhook-queue-settings.ts';
import { type HandlerLoader, invokeFunction } from '../gateway/functions.ts';
import { startSchedule } from '../schedule.ts';
import { startQueueTrigger } from './queue-trigger.ts';
import { createQueue } from './queues.ts';

export type WebhookDeliveryOptions = {
  readonly queueUrl: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
};

export const createWebhookQueue = (endpoint: string): Promise<string> =>
  createQueue(endpoint, 'webhook-deliveries', webhookQueueSettings);

/** What makes webhook deliveries happen: the queue's trigger, and the schedule of the due run. */
export function startWebhookDelivery(options: WebhookDeliveryOptions): { stop(): Promise<void> } {
  const { loadHandler, report } = options;
  const invoke = async (functionName: string, event: unknown) => {
    const outcome = await invokeFunction(loadHandler, functionName, event);
    if (outcome.kind === 'returned') return outcome.result;
    const fault = outcome.kind === 'threw' ? outcome.error : new Error('timed out');
    report(functionName, fault);
    throw fault;
  };
  const trigger = startQueueTrigger({
    queueUrl: options.queueUrl,
    invoke: (event) => invoke('deliver-webhooks', event),
    report: (fault) => report('webhook queue', fault),
  });
  const schedule = startSchedule({
    // Each minute on AWS; nobody at a terminal waits that long for a retry.
    everyMs: 2_000,
    run: () => invoke('run-webhook-queue', { scheduledRun: true }),
    report: () => {},
  });
  return {
    stop: async () => {
      const stopped = Promise.all([trigger.stop(), schedule.stop()]);
      // An attempt at a receiver that hangs takes 15 s: whoever stops the twin does not wait for it.
      await Promise.race([stopped, sleep(2_000, undefined, { ref: false })]);
    },
  };
}
