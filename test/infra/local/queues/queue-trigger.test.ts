import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { expect, it, onTestFinished, vi } from 'vitest';
import { TooManyExecutions } from '../../../../infra/local/gateway/executions.ts';
import { createWebhookQueue } from '../../../../infra/local/queues/function-queues.ts';
import { startQueueTrigger } from '../../../../infra/local/queues/queue-trigger.ts';
import { openSqs } from '../../../support/local-queues.ts';
import { patience } from '../../../support/patience.ts';

async function openQueue() {
  const { url, client } = await openSqs();
  const queueUrl = await createWebhookQueue(url);
  const send = (body: string) =>
    client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
  return { queueUrl, send };
}

const bodiesOf = ({ Records }: SQSEvent): string[] => Records.map(({ body }) => body);

it("passes messages to the function in the shape of Lambda's SQS event", async () => {
  const { queueUrl, send } = await openQueue();
  const events: SQSEvent[] = [];
  const { MessageId } = await send('one');

  const trigger = startQueueTrigger({
    queueUrl,
    invoke: async (event) => {
      events.push(event);
    },
    report: () => {},
  });
  onTestFinished(trigger.stop);

  await vi.waitUntil(() => events.length > 0, patience);
  expect(events).toEqual([
    {
      Records: [
        expect.objectContaining({
          messageId: MessageId,
          body: 'one',
          eventSource: 'aws:sqs',
          receiptHandle: expect.any(String),
          md5OfBody: expect.any(String),
          attributes: expect.objectContaining({ ApproximateReceiveCount: '1' }),
        }),
      ],
    },
  ]);
});

it('redelivers only messages that the function names as failed', async () => {
  const { queueUrl, send } = await openQueue();
  const handed: string[] = [];
  await send('good');
  await send('bad');

  const trigger = startQueueTrigger({
    queueUrl,
    invoke: async (event) => {
      const isFirstTime = !handed.includes('bad');
      handed.push(...bodiesOf(event));
      const failed = isFirstTime ? event.Records.filter(({ body }) => body === 'bad') : [];
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    },
    report: () => {},
    redeliverAfterSeconds: 0,
  });
  onTestFinished(trigger.stop);

  await vi.waitUntil(() => handed.length === 3, patience);
  await trigger.stop();
  expect(handed.toSorted()).toEqual(['bad', 'bad', 'good']);
});

it('redelivers every message of the batch when the function throws', async () => {
  const { queueUrl, send } = await openQueue();
  const handed: string[] = [];
  await send('one');

  const trigger = startQueueTrigger({
    queueUrl,
    invoke: async (event) => {
      handed.push(...bodiesOf(event));
      if (handed.length === 1) throw new Error('not now');
    },
    report: () => {},
    redeliverAfterSeconds: 0,
  });
  onTestFinished(trigger.stop);

  await vi.waitUntil(() => handed.length === 2, patience);
  expect(handed).toEqual(['one', 'one']);
});

it('delivers the next message while the function is still handling another', async () => {
  const { queueUrl, send } = await openQueue();
  const hanging = Promise.withResolvers<void>();
  const handed: string[] = [];
  const trigger = startQueueTrigger({
    queueUrl,
    invoke: async (event) => {
      handed.push(...bodiesOf(event));
      if (handed.length === 1) await hanging.promise;
    },
    report: () => {},
  });
  onTestFinished(trigger.stop);
  await send('hangs');
  await vi.waitUntil(() => handed.length === 1, patience);

  await send('next');

  await vi.waitUntil(() => handed.length === 2, patience);
  expect(handed).toEqual(['hangs', 'next']);
  hanging.resolve();
});

it('redelivers a message whose function returns nonsense', async () => {
  const { queueUrl, send } = await openQueue();
  const handed: string[] = [];
  await send('one');

  const trigger = startQueueTrigger({
    queueUrl,
    invoke: async (event) => {
      handed.push(...bodiesOf(event));
      return handed.length === 1 ? { batchItemFailures: [{ itemIdentifier: '' }] } : null;
    },
    report: () => {},
    redeliverAfterSeconds: 0,
  });
  onTestFinished(trigger.stop);

  await vi.waitUntil(() => handed.length === 2, patience);
  expect(handed).toEqual(['one', 'one']);
});

it('stops at once while it waits for messages', async () => {
  const { queueUrl } = await openQueue();
  const trigger = startQueueTrigger({ queueUrl, invoke: async () => {}, report: () => {} });
  const startedAt = performance.now();

  await trigger.stop();

  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

it('retries a throttled batch for as long as its messages are invisible', async () => {
  const { queueUrl, send } = await openQueue();
  await send('one');
  const received: string[] = [];

  const trigger = startQueueTrigger({
    queueUrl,
    invoke: async ({ Records }) => {
      received.push(...Records.map(({ attributes }) => attributes.ApproximateReceiveCount));
      if (received.length < 3) throw new TooManyExecutions('deliver-webhooks');
    },
    visibilityTimeoutSeconds: 180,
    report: () => {},
  });
  onTestFinished(trigger.stop);

  await vi.waitUntil(() => received.length === 3, patience);
  expect(received).toEqual(['1', '1', '1']);
});
