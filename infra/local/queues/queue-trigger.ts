import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { makeLean } from '#shared/aws/lean-client';
import { TooManyExecutions } from '../gateway/executions.ts';

type QueueTriggerOptions = {
  readonly queueUrl: string;
  readonly invoke: (event: SQSEvent) => Promise<unknown>;
  readonly report: (fault: unknown) => void;
  /** Batches that the function handles at a time, or that wait for an execution. */
  readonly concurrency?: number;
  /** Messages per batch. Default: ten. */
  readonly batchSize?: number;
  /** Default: when the queue's visibility timeout ends. */
  readonly redeliverAfterSeconds?: number;
  /** The queue's. A throttled batch is retried for this long, then returned to the queue like a failed one. */
  readonly visibilityTimeoutSeconds?: number;
};

/** As for an account with 1,000 concurrent executions, as nothing else needs them here. */
const concurrentBatches = 50;

/** ReceiveMessage's maximum. */
const maxAtATime = 10;

/** Works as Lambda's event source mapping does. */
export function startQueueTrigger(options: QueueTriggerOptions): { stop(): Promise<void> } {
  const { queueUrl, report, concurrency = concurrentBatches, batchSize = maxAtATime } = options;
  const client = makeLean(new SQSClient({ endpoint: new URL(queueUrl).origin }));
  const stopping = new AbortController();
  const { signal } = stopping;
  const underWay = new Set<Promise<void>>();

  const pollOnce = async () => {
    if (underWay.size >= concurrency) return Promise.race(underWay);
    const messages = await receive(client, queueUrl, batchSize, signal);
    if (messages.length === 0) return;
    // Not awaited: a receiver that hangs mustn't hold up the next batch.
    const batch = handOver(client, messages, options, signal)
      .catch(report)
      .finally(() => underWay.delete(batch));
    underWay.add(batch);
  };
  const poll = async () => {
    while (!signal.aborted) {
      try {
        await pollOnce();
      } catch (error) {
        if (!signal.aborted) report(error);
        await sleep(pauseAfterFailureMs, undefined, { signal }).catch(() => {});
      }
    }
  };
  const polling = poll();
  return {
    stop: async () => {
      stopping.abort();
      await polling;
      await Promise.all(underWay);
      client.destroy();
    },
  };
}

const pauseAfterFailureMs = 1_000;

async function receive(
  client: SQSClient,
  QueueUrl: string,
  MaxNumberOfMessages: number,
  abortSignal: AbortSignal,
): Promise<readonly Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages,
    WaitTimeSeconds: 20,
    MessageSystemAttributeNames: ['All'],
  });
  const { Messages: messages = [] } = await client.send(command, { abortSignal });
  return messages;
}

async function handOver(
  client: SQSClient,
  messages: readonly Message[],
  options: QueueTriggerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { queueUrl: QueueUrl, redeliverAfterSeconds } = options;
  const failed = await invokeWith(messages, options, signal);
  for (const { MessageId = '', ReceiptHandle } of messages) {
    const handle = { QueueUrl, ReceiptHandle };
    if (!failed.has(MessageId)) await client.send(new DeleteMessageCommand(handle));
    else if (redeliverAfterSeconds !== undefined) {
      const again = { ...handle, VisibilityTimeout: redeliverAfterSeconds };
      await client.send(new ChangeMessageVisibilityCommand(again));
    }
  }
}

/**
 * The messages to repeat. No result means none; anything else means that the whole batch failed (Lambda guide, "Partial
 * batch responses").
 */
const partialBatchResponse = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullish();

async function invokeWith(
  messages: readonly Message[],
  options: QueueTriggerOptions,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const records = messages.map(toRecord);
  try {
    const answer = await invokeWhenFree({ Records: records }, options, signal);
    const response = partialBatchResponse.parse(answer);
    return new Set(response?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  } catch {
    return new Set(records.map(({ messageId }) => messageId));
  }
}

/** How often Lambda asks isn't documented. */
const pauseWhileThrottledMs = 500;

/**
 * Lambda guide, "Configuring a queue to use with Lambda": the visibility timeout allows for retries of throttled
 * batches.
 */
async function invokeWhenFree(
  event: SQSEvent,
  { invoke, visibilityTimeoutSeconds = 0 }: QueueTriggerOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const givesUpAt = performance.now() + visibilityTimeoutSeconds * 1_000;
  for (;;) {
    try {
      return await invoke(event);
    } catch (error) {
      const isLate = performance.now() + pauseWhileThrottledMs > givesUpAt;
      if (!(error instanceof TooManyExecutions) || isLate) throw error;
      await sleep(pauseWhileThrottledMs, undefined, { signal });
    }
  }
}

const toRecord = (message: Message): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: {
    ApproximateReceiveCount: message.Attributes?.ApproximateReceiveCount ?? '1',
    SentTimestamp: message.Attributes?.SentTimestamp ?? '0',
    SenderId: message.Attributes?.SenderId ?? '',
    ApproximateFirstReceiveTimestamp: message.Attributes?.ApproximateFirstReceiveTimestamp ?? '0',
  },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:local',
  awsRegion: 'us-east-1',
});
