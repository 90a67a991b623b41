import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TooManyExecutions } from '../../../../infra/local/gateway/executions.ts';
import { startQueueTrigger } from '../../../../infra/local/queues/queue-trigger.ts';
import { createQueue, deadLettersOf } from '../../../../infra/local/queues/queues.ts';
import {
  createEventIntake,
  createEventRetryQueue,
  createProviderEventIntake,
  startEventRetries,
} from '../../../../infra/local/ses/event-intake.ts';
import { openSqs } from '../../../support/local-queues.ts';
import { patience } from '../../../support/patience.ts';

const topicArn = 'arn:aws:sns:us-east-1:000000000000:events';

it('redelivers from the queue what the intake failed on when SNS brought it', async () => {
  const { url } = await openSqs();
  const queueUrl = await createEventRetryQueue(url);
  const invocations: unknown[] = [];
  const loadHandler = async () => async (event: unknown) => {
    invocations.push(event);
    if (invocations.length === 1) throw new Error('not now');
    return { batchItemFailures: [] };
  };
  const publish = createEventIntake({ loadHandler, topicArn, queueUrl });

  await publish({ eventType: 'Send' });
  const retries = startEventRetries({ queueUrl, loadHandler, report: () => {} });
  onTestFinished(retries.stop);

  await vi.waitUntil(() => invocations.length === 2, patience);
  const [fromTopic, fromQueue] = invocations;
  expect(fromTopic).toMatchObject({ Records: [{ Sns: { Message: '{"eventType":"Send"}' } }] });
  expect(fromQueue).toMatchObject({ Records: [{ eventSource: 'aws:sqs' }] });
  const body: unknown = JSON.parse(Object(fromQueue).Records[0].body);
  expect(body).toMatchObject({ requestPayload: fromTopic });
});

it('waits for an execution when Lambda throttles the intake, before the queue gets the event', async () => {
  const { url } = await openSqs();
  const queueUrl = await createEventRetryQueue(url);
  const invocations: unknown[] = [];
  const loadHandler = async () => async (event: unknown) => {
    invocations.push(event);
    if (invocations.length === 1) throw new TooManyExecutions('record-provider-event');
  };

  await createEventIntake({ loadHandler, topicArn, queueUrl })({ eventType: 'Send' });

  expect(invocations).toHaveLength(2);
  expect(invocations[1]).toEqual(invocations[0]);
});

it('moves what fails too often to the dead-letter queue, from where it can be redriven', async () => {
  const { url, client } = await openSqs();
  const queueUrl = await createQueue(url, 'events', {
    visibilityTimeoutSeconds: 180,
    maxReceiveCount: 2,
  });
  const deadLettersUrl = queueUrl.replace(/events$/, deadLettersOf('events'));
  const handed: string[] = [];
  let isMended = false;
  const trigger = startQueueTrigger({
    queueUrl,
    invoke: async ({ Records }) => {
      handed.push(...Records.map(({ body }) => body));
      if (!isMended) throw new Error('not now');
    },
    report: () => {},
    redeliverAfterSeconds: 0,
  });
  onTestFinished(trigger.stop);
  await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'event' }));

  const [dead] = await vi.waitUntil(async () => {
    const receive = new ReceiveMessageCommand({ QueueUrl: deadLettersUrl });
    return (await client.send(receive)).Messages;
  }, patience);
  isMended = true;
  // What SQS's own redrive does with each message.
  await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: dead?.Body }));
  await client.send(
    new DeleteMessageCommand({ QueueUrl: deadLettersUrl, ReceiptHandle: dead?.ReceiptHandle }),
  );

  await vi.waitUntil(() => handed.length === 3, patience);
  expect(handed).toEqual(['event', 'event', 'event']);
});

describe('provider event intake', () => {
  it('hands the event to the intake function as an SNS notification', async () => {
    const invocations: unknown[] = [];
    const names: string[] = [];
    const intake = createProviderEventIntake(async (name) => {
      names.push(name);
      return (event) => invocations.push(event);
    }, topicArn);

    await intake({ eventType: 'Send' });

    expect(names).toEqual(['record-provider-event']);
    expect(invocations).toEqual([
      {
        Records: [
          {
            EventVersion: '1.0',
            EventSource: 'aws:sns',
            EventSubscriptionArn: expect.stringContaining(topicArn),
            Sns: expect.objectContaining({
              Type: 'Notification',
              TopicArn: topicArn,
              MessageId: expect.any(String),
              Message: '{"eventType":"Send"}',
              Timestamp: expect.stringMatching(/^\d{4}-/),
            }),
          },
        ],
      },
    ]);
  });

  it('throws what the intake threw', async () => {
    const intake = createProviderEventIntake(
      async () => () => Promise.reject(new Error('not recorded')),
      topicArn,
    );

    await expect(intake({})).rejects.toThrow('not recorded');
  });
});
