import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openRetryQueue } from '#shared/aws/queue-client';

const sqs = mockClient(SQSClient);
// Another file of this worker talks to a real queue.
afterAll(() => sqs.restore());
beforeEach(() => {
  sqs.reset();
});

const queueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/event-retries';

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
