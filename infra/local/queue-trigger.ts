import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';

export type QueueTriggerOptions = {
  readonly queueUrl: string;
  /** Invokes the function; throws what it threw. */
  readonly invoke: (event: SQSEvent) => Promise<unknown>;
  readonly report: (fault: unknown) => void;
  /** How many batches are with the function at a time. */
  readonly concurrency?: number;
  /** When a message is given again that the function failed on. */
  readonly redeliverAfterSeconds?: number;
};

/** Hands a queue's messages to a function as Lambda's event source mapping does, until it is stopped. */
export function startQueueTrigger(options: QueueTriggerOptions): { stop(): Promise<void> } {
  const client = new SQSClient({ endpoint: new URL(options.queueUrl).origin });
  const stopping = new AbortController();
  const poll = async () => {
    while (!stopping.signal.aborted) {
      await pollOnce(client, options, stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) options.report(error);
      });
    }
  };
  const polls = Array.from({ length: options.concurrency ?? 4 }, poll);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(polls);
      client.destroy();
    },
  };
}

async function pollOnce(
  client: SQSClient,
  { queueUrl: QueueUrl, invoke, redeliverAfterSeconds = 5 }: QueueTriggerOptions,
  abortSignal: AbortSignal,
): Promise<void> {
  const receive = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: 20,
    MessageSystemAttributeNames: ['All'],
  });
  const { Messages: messages = [] } = await client.send(receive, { abortSignal });
  if (messages.length === 0) return;
  const failed = await invokeWith(messages, invoke);
  for (const { MessageId = '', ReceiptHandle } of messages) {
    const handle = { QueueUrl, ReceiptHandle };
    const again = { ...handle, VisibilityTimeout: redeliverAfterSeconds };
    if (!failed.has(MessageId)) await client.send(new DeleteMessageCommand(handle));
    else await client.send(new ChangeMessageVisibilityCommand(again));
  }
}

/** Lambda guide, "Partial batch responses": what a function returns for the messages to be given again. */
const partialBatchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })),
});

async function invokeWith(
  messages: readonly Message[],
  invoke: QueueTriggerOptions['invoke'],
): Promise<ReadonlySet<string>> {
  const records = messages.map(toRecord);
  try {
    const { data } = partialBatchResponse.safeParse(await invoke({ Records: records }));
    return new Set(data?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  } catch {
    return new Set(records.map(({ messageId }) => messageId));
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
