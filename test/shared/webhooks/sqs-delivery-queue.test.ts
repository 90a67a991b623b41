import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createQueueWaker } from '#shared/webhooks/sqs-delivery-queue';
import { buildDelivery } from './webhook-builder.ts';

const sqs = mockClient(SQSClient);
// Another file of this worker talks to a real queue.
afterAll(() => sqs.restore());
beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
});

const queueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/webhooks';
const build = (count: number) => Array.from({ length: count }, () => buildDelivery());
const batches = () =>
  sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input);

describe('waking the queue', () => {
  it('sends a message for each delivery, ten at a time', async () => {
    const deliveries = build(23);

    await createQueueWaker(queueUrl)(deliveries);

    const sent = batches().map(({ Entries }) => Entries?.map(({ MessageBody }) => MessageBody));
    expect(sent.map((batch) => batch?.length)).toEqual([10, 10, 3]);
    expect(sent.flat().map((body) => JSON.parse(body ?? ''))).toEqual(
      deliveries.map(({ id, webhookId }) => ({ id, webhookId })),
    );
    expect(new Set(batches().map(({ QueueUrl }) => QueueUrl))).toEqual(new Set([queueUrl]));
  });

  it('gives each message of a batch its own id', async () => {
    await createQueueWaker(queueUrl)(build(10));

    const ids = batches()[0]?.Entries?.map(({ Id }) => Id);
    expect(new Set(ids).size).toBe(10);
  });

  it('makes each webhook a group, so that groups share the queue fairly', async () => {
    const deliveries = build(3);

    await createQueueWaker(queueUrl)(deliveries);

    const groups = batches()[0]?.Entries?.map(({ MessageGroupId }) => MessageGroupId);
    expect(groups).toEqual(deliveries.map(({ webhookId }) => webhookId));
  });

  it('makes no request when there is nothing to deliver', async () => {
    await createQueueWaker(queueUrl)([]);

    expect(batches()).toEqual([]);
  });

  it('never throws, and reports a failure: the delivery is due in a minute', async () => {
    const failures: unknown[] = [];
    sqs.on(SendMessageBatchCommand).rejects(new Error('unreachable'));

    await createQueueWaker(queueUrl, (error) => failures.push(error))(build(1));

    expect(failures).toEqual([expect.objectContaining({ message: 'unreachable' })]);
  });
});
