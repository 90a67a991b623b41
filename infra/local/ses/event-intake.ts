import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SNSEvent } from 'aws-lambda';
import { eventRetrySettings } from '../../constructs/pipelines/event-retry-settings.ts';
import { type HandlerLoader, resultOf } from '../gateway/functions.ts';
import { startQueueTrigger } from '../queues/queue-trigger.ts';
import { createQueue } from '../queues/queues.ts';

/** Hands one SES event to the intake as SNS does; throws what the intake threw. */
export const createProviderEventIntake =
  (loadHandler: HandlerLoader, topicArn: string) =>
  async (event: unknown): Promise<void> => {
    await invokeIntake(
      loadHandler,
      wrapInNotification(JSON.stringify(event), topicArn, new Date()),
    );
  };

const invokeIntake = (loadHandler: HandlerLoader, event: unknown): Promise<unknown> =>
  resultOf(loadHandler, 'record-provider-event', event);

/** The event Lambda gets from SNS (Lambda guide, "Using AWS Lambda with Amazon SNS"). */
function wrapInNotification(message: string, topicArn: string, now: Date): SNSEvent {
  return {
    Records: [
      {
        EventVersion: '1.0',
        EventSubscriptionArn: `${topicArn}:${randomUUID()}`,
        EventSource: 'aws:sns',
        Sns: {
          SignatureVersion: '1',
          Timestamp: now.toISOString(),
          Signature: 'not-signed-locally',
          SigningCertUrl: 'https://sns.local/SimpleNotificationService.pem',
          MessageId: randomUUID(),
          Message: message,
          MessageAttributes: {},
          Type: 'Notification',
          UnsubscribeUrl: 'https://sns.local/?Action=Unsubscribe',
          TopicArn: topicArn,
          Subject: 'Amazon SES Email Event Notification',
        },
      },
    ],
  };
}

export const createEventRetryQueue = (endpoint: string): Promise<string> =>
  createQueue(endpoint, 'provider-event-retries', eventRetrySettings);

type EventIntakeOptions = {
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

type EventRetriesOptions = {
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

/** Hands the event of a tenant, named by its ARN, to the function, as the stack's rule does. */
export const createTenantEvents =
  (loadHandler: HandlerLoader, report: (...fault: readonly unknown[]) => void) =>
  (arn: string): void => {
    const event = {
      source: 'aws.ses',
      // Whichever of the two it is: the function asks SES.
      'detail-type': 'Sending Status Disabled',
      resources: [arn],
    };
    resultOf(loadHandler, 'check-tenant', event).catch((fault) => report('check-tenant', fault));
  };
