import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { captureOutput } from '../../support/captured-output.ts';
import { buildDelivery } from '../webhooks/webhook-builder.ts';

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

  it('gives each message in a batch its own id', async () => {
    await createQueueWaker(queueUrl)(build(10));

    const ids = batches()[0]?.Entries?.map(({ Id }) => Id);
    expect(new Set(ids).size).toBe(10);
  });

  it('makes each webhook a group, for fair queueing', async () => {
    const deliveries = build(3);

    await createQueueWaker(queueUrl)(deliveries);

    const groups = batches()[0]?.Entries?.map(({ MessageGroupId }) => MessageGroupId);
    expect(groups).toEqual(deliveries.map(({ webhookId }) => webhookId));
  });

  it('makes no request when there is nothing to deliver', async () => {
    await createQueueWaker(queueUrl)([]);

    expect(batches()).toEqual([]);
  });
});

describe("a queue that can't be woken", () => {
  /** What was logged and counted while the queue was to be woken. */
  async function wake(deliveries: readonly Delivery[]) {
    const output = captureOutput();
    await createQueueWaker(queueUrl)(deliveries);
    return output.text().split('\n').filter(isJson).map(readLine);
  }

  const counted = expect.objectContaining({ WebhookQueueNotWoken: 1 });
  const logged = (deliveries: readonly Delivery[], errorName: string) =>
    expect.objectContaining({
      message: 'webhook queue not woken',
      deliveryIds: deliveries.map(({ id }) => id),
      errorName,
    });

  it('never throws, and is logged and counted, as the deliveries are due in a minute', async () => {
    sqs.on(SendMessageBatchCommand).rejects(new TypeError('unreachable'));
    const deliveries = build(2);

    expect(await wake(deliveries)).toEqual([logged(deliveries, 'TypeError'), counted]);
  });

  it("isn't called for the remaining batches", async () => {
    sqs.on(SendMessageBatchCommand).resolvesOnce({}).rejects(new TypeError('unreachable'));
    const deliveries = build(30);

    const lines = await wake(deliveries);

    expect(lines).toEqual([logged(deliveries.slice(10), 'TypeError'), counted]);
    expect(batches()).toHaveLength(2);
  });

  it('is detected when it rejects some messages, even with a 200', async () => {
    const refusal = { Id: '1', SenderFault: false, Code: 'InternalError' };
    sqs
      .on(SendMessageBatchCommand)
      .resolvesOnce({ Failed: [refusal] })
      .resolves({ Failed: [] });
    const deliveries = build(11);

    const lines = await wake(deliveries);

    expect(lines).toEqual([logged(deliveries.slice(1, 2), 'Error'), counted]);
    expect(batches()).toHaveLength(2);
  });

  it('logs nothing when everything works', async () => {
    expect(await wake(build(11))).toEqual([]);
  });
});

/** Powertools warns in plain text about missing environment variables. */
const isJson = (line: string) => line.startsWith('{');
const readLine = (line: string): unknown => JSON.parse(line);
