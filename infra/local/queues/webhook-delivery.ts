import { setTimeout as sleep } from 'node:timers/promises';
import { webhookQueueSettings } from '../../constructs/pipelines/queue-settings.ts';
import { type HandlerLoader, resultOf } from '../gateway/functions.ts';
import { startScheduledRuns } from '../schedule.ts';
import { startQueueTrigger } from './queue-trigger.ts';
import { createQueue } from './queues.ts';

type WebhookDeliveryOptions = {
  readonly queueUrl: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
};

export const createWebhookQueue = (endpoint: string): Promise<string> =>
  createQueue(endpoint, 'webhook-deliveries', webhookQueueSettings);

export function startWebhookDelivery(options: WebhookDeliveryOptions): { stop(): Promise<void> } {
  const { queueUrl, loadHandler, report } = options;
  const trigger = startQueueTrigger({
    queueUrl,
    invoke: async (event) => {
      try {
        return await resultOf(loadHandler, 'deliver-webhooks', event);
      } catch (fault) {
        report('deliver-webhooks', fault);
        throw fault;
      }
    },
    report: (fault) => report('webhook queue', fault),
  });
  const schedule = startScheduledRuns('run-webhook-queue', loadHandler, report);
  return {
    stop: async () => {
      const stopped = Promise.all([trigger.stop(), schedule.stop()]);
      // An attempt at a receiver that hangs takes 15 s, too long to wait for after Ctrl-C.
      await Promise.race([stopped, sleep(2_000, undefined, { ref: false })]);
    },
  };
}
