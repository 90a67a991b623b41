import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { expect, it, vi } from 'vitest';
import { webhookQueueSettings } from '../../../../infra/constructs/pipelines/queue-settings.ts';
import {
  createWebhookQueue,
  startWebhookDelivery,
} from '../../../../infra/local/queues/function-queues.ts';
import { openSqs } from '../../../support/local-queues.ts';
import { patience } from '../../../support/patience.ts';

it('creates the queue of first attempts as the stack has it', async () => {
  const { url, client } = await openSqs();

  const queueUrl = await createWebhookQueue(url);

  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
  );
  expect(Attributes).toMatchObject({
    VisibilityTimeout: `${webhookQueueSettings.visibilityTimeoutSeconds}`,
    RedrivePolicy: expect.stringContaining('"maxReceiveCount":5'),
  });
});

it('uses an existing queue', async () => {
  const { url } = await openSqs();
  const created = await createWebhookQueue(url);

  const found = await createWebhookQueue(url);

  expect(found).toBe(created);
});

it("uses the configured host in a queue's URL, whatever the queue says", async () => {
  const { url } = await openSqs();

  const queueUrl = await createWebhookQueue(url);

  expect(new URL(queueUrl).origin).toBe(url);
});

it("doesn't wait for a run at a hanging receiver when it stops", async () => {
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
