import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type HandlerLoader, invokeFunction } from './function-invocation.ts';
import { startQueueTrigger } from './queue-trigger.ts';
import { startSchedule } from './schedule.ts';

export type WebhookDeliveryOptions = {
  readonly queueUrl: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
};

/** Creates the queue of first attempts and answers its address. */
export async function createWebhookQueue(endpoint: string): Promise<string> {
  const client = new SQSClient({ endpoint });
  const { QueueUrl } = await client.send(
    new CreateQueueCommand({ QueueName: 'webhook-deliveries' }),
  );
  client.destroy();
  // fauxqs names a host that resolves only where `*.localhost` does.
  return new URL(new URL(QueueUrl ?? '').pathname, endpoint).href;
}

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
    everyMs: 5_000,
    run: () => invoke('run-webhook-queue', { scheduledRun: true }),
    report: () => {},
  });
  return {
    stop: async () => {
      await Promise.all([trigger.stop(), schedule.stop()]);
    },
  };
}
