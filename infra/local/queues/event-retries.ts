import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { eventRetrySettings } from '../../constructs/pipelines/event-retry-settings.ts';
import type { HandlerLoader } from '../gateway/function-invocation.ts';
import { invokeIntake, wrapInNotification } from '../ses/provider-events.ts';
import { createQueue } from './queue-creation.ts';
import { startQueueTrigger } from './queue-trigger.ts';

export const createEventRetryQueue = (endpoint: string): Promise<string> =>
  createQueue(endpoint, 'provider-event-retries', eventRetrySettings);

export type EventIntakeOptions = {
  readonly loadHandler: HandlerLoader;
  readonly topicArn: string;
  readonly queueUrl: string;
};

/** Hands one SES event to the intake as SNS does; what it fails on goes to the retry queue. */
export const createEventIntake =
  ({ loadHandler, topicArn, queueUrl }: EventIntakeOptions) =>
  async (event: unknown): Promise<void> => {
    const notification = wrapInNotification(JSON.stringify(event), topicArn, new Date());
    try {
      await invokeIntake(loadHandler, notification);
    } catch (error) {
      await putIntoQueue(queueUrl, recordOfFailure(notification, error));
    }
  };

/** Lambda's record of a failed invocation (Lambda guide, "Capturing records of asynchronous invocations"). */
export const recordOfFailure = (requestPayload: unknown, error: unknown) => ({
  version: '1.0',
  timestamp: new Date().toISOString(),
  requestContext: {
    requestId: randomUUID(),
    functionArn: 'arn:aws:lambda:local:000000000000:function:record-provider-event:$LATEST',
    condition: 'RetriesExhausted',
    approximateInvokeCount: 1,
  },
  requestPayload,
  responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
  responsePayload: { errorType: 'Error', errorMessage: String(error), trace: [] },
});

async function putIntoQueue(QueueUrl: string, body: unknown): Promise<void> {
  const client = new SQSClient({ endpoint: new URL(QueueUrl).origin });
  try {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
  } finally {
    client.destroy();
  }
}

export type EventRetriesOptions = {
  readonly queueUrl: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
};

/** Hands the events of the retry queue to the intake, until it is stopped. */
export const startEventRetries = ({ queueUrl, loadHandler, report }: EventRetriesOptions) =>
  startQueueTrigger({
    queueUrl,
    invoke: (event) => invokeIntake(loadHandler, event),
    report: (fault) => report('event retries', fault),
    concurrency: eventRetrySettings.concurrentBatches,
  });
