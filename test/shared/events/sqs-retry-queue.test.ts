import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createIntakeCheck, openRetryQueue } from '#shared/events/sqs-retry-queue';

const sqs = mockClient(SQSClient);
// Another file of this worker talks to a real queue.
afterAll(() => sqs.restore());
beforeEach(() => {
  sqs.reset();
});

const queueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/event-retries';

const nothing = {
  ApproximateNumberOfMessages: '0',
  ApproximateNumberOfMessagesNotVisible: '0',
  ApproximateNumberOfMessagesDelayed: '0',
};

describe('the intake of events', () => {
  it('is in time when no event waits', async () => {
    sqs.on(GetQueueAttributesCommand).resolves({ Attributes: nothing });

    expect(await createIntakeCheck(queueUrl)()).toBe(false);
    const [call] = sqs.commandCalls(GetQueueAttributesCommand);
    expect(call?.args[0].input).toEqual({
      QueueUrl: queueUrl,
      AttributeNames: Object.keys(nothing),
    });
  });

  it.each(Object.keys(nothing))('is late when there are messages by %s', async (name) => {
    sqs.on(GetQueueAttributesCommand).resolves({ Attributes: { ...nothing, [name]: '1' } });

    expect(await createIntakeCheck(queueUrl)()).toBe(true);
  });

  it.each([{}, { Attributes: { ApproximateNumberOfMessages: '0' } }])(
    'counts as late when the queue answers without a count: %o',
    async (answer) => {
      sqs.on(GetQueueAttributesCommand).resolves(answer);

      expect(await createIntakeCheck(queueUrl)()).toBe(true);
    },
  );

  it('counts as late when the queue does not answer', async () => {
    sqs.on(GetQueueAttributesCommand).rejects(new Error('unreachable'));

    expect(await createIntakeCheck(queueUrl)()).toBe(true);
  });
});

describe('postponing a message', () => {
  it('hides it for so many seconds', async () => {
    sqs.on(ChangeMessageVisibilityCommand).resolves({});

    await openRetryQueue(queueUrl).postpone('handle', 64);

    const [call] = sqs.commandCalls(ChangeMessageVisibilityCommand);
    expect(call?.args[0].input).toEqual({
      QueueUrl: queueUrl,
      ReceiptHandle: 'handle',
      VisibilityTimeout: 64,
    });
  });
});
