import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { webhookQueueSettings } from '../constructs/webhook-queue-settings.ts';
import { type HandlerLoader, invokeFunction } from './function-invocation.ts';
import { startQueueTrigger } from './queue-trigger.ts';
import { startSchedule } from './schedule.ts';

export type WebhookDeliveryOptions = {
  readonly queueUrl: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
};

/** Creates the queue of first attempts, as the stack has it, unless it exists; answers its address. */
export async function createWebhookQueue(endpoint: string): Promise<string> {
  const client = new SQSClient({ endpoint });
  const { visibilityTimeoutSeconds, maxReceiveCount } = webhookQueueSettings;
  try {
    const deadLetters = await ensureQueue(client, 'webhook-deliveries-dead-letters', {});
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
    );
    const redrivePolicy = { deadLetterTargetArn: Attributes?.['QueueArn'], maxReceiveCount };
    const queueUrl = await ensureQueue(client, 'webhook-deliveries', {
      VisibilityTimeout: `${visibilityTimeoutSeconds}`,
      RedrivePolicy: JSON.stringify(redrivePolicy),
    });
    // fauxqs names a host that resolves only where `*.localhost` does.
    return new URL(new URL(queueUrl).pathname, endpoint).href;
  } finally {
    client.destroy();
  }
}

/** Not created anew: an SQS that somebody brings may hold the queue with other attributes. */
async function ensureQueue(
  client: SQSClient,
  QueueName: string,
  Attributes: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName }));
    return QueueUrl;
  } catch (error) {
    if (!(error instanceof QueueDoesNotExist)) throw error;
    const create = new CreateQueueCommand({ QueueName, Attributes: { ...Attributes } });
    const { QueueUrl = '' } = await client.send(create);
    return QueueUrl;
  }
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
