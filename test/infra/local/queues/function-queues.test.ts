import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { webhookQueueSettings } from '../../../../infra/constructs/pipelines/queue-settings.ts';
import { awsIdentity } from '../../../../infra/local/environment.ts';
import {
  createWebhookQueue,
  startWebhookDelivery,
} from '../../../../infra/local/queues/function-queues.ts';
import { startQueues } from '../../../../infra/local/queues/queues.ts';
import { patience } from '../../../support/patience.ts';

async function openSqs() {
  for (const [name, value] of Object.entries(awsIdentity({}))) vi.stubEnv(name, value);
  const queues = await startQueues();
  onTestFinished(queues.stop);
  return queues;
}

it('creates the queue of first attempts as the stack has it', async () => {
  const { url } = await openSqs();

  const queueUrl = await createWebhookQueue(url);

  const client = new SQSClient({ endpoint: url });
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
  );
  expect(Attributes).toMatchObject({
    VisibilityTimeout: `${webhookQueueSettings.visibilityTimeoutSeconds}`,
    RedrivePolicy: expect.stringContaining('"maxReceiveCount":5'),
  });
});

it('uses a queue that is there already', async () => {
  const { url } = await openSqs();
  const created = await createWebhookQueue(url);

  const found = await createWebhookQueue(url);

  expect(found).toBe(created);
});

it('names the queue by the host it was told, whatever the queue calls itself', async () => {
  const { url } = await openSqs();

  const queueUrl = await createWebhookQueue(url);

  expect(new URL(queueUrl).origin).toBe(url);
});

it('does not wait for a run at a receiver that hangs when it stops', async () => {
  const { url } = await openSqs();
  const runs: unknown[] = [];
  const delivery = startWebhookDelivery({
    queueUrl: await createWebhookQueue(url),
    loadHandler: async () => (event) => {
      runs.push(event);
      return new Promise(() => {});
    },
    report: () => {},
  });
  await vi.waitUntil(() => runs.length === 1, patience);

  await delivery.stop();

  expect(runs).toEqual([{ scheduledRun: true }]);
});
