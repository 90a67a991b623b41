import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SNSEvent } from 'aws-lambda';
import {
  eventRetrySettings,
  tenantEventSettings,
} from '../../constructs/pipelines/queue-settings.ts';
import { invokeAsynchronously, TooManyExecutions } from '../gateway/executions.ts';
import { type HandlerLoader, resultOf } from '../gateway/functions.ts';
import type { FunctionQueueOptions } from '../queues/function-queues.ts';
import { startQueueTrigger } from '../queues/queue-trigger.ts';
import { createQueue } from '../queues/queues.ts';

/** Works as SNS does, but throws what the intake threw. */
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

/** Lambda guide, "Using AWS Lambda with Amazon SNS". */
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
  /** Ends the wait for an execution. */
  readonly signal?: AbortSignal;
};

/** Works as SNS and Lambda do; failures go to the retry queue, and so does what Lambda throttled for too long. */
export const createEventIntake =
  ({ loadHandler, topicArn, queueUrl, ...options }: EventIntakeOptions) =>
  async (event: unknown): Promise<void> => {
    const notification = wrapInNotification(JSON.stringify(event), topicArn, new Date());
    try {
      await invokeAsynchronously(loadHandler, 'record-provider-event', notification, {
        maxEventAgeMs: eventRetrySettings.maxEventAgeSeconds * 1_000,
        ...options,
      });
    } catch (error) {
      await putIntoQueue(queueUrl, recordOfFailure(notification, error));
    }
  };

export const recordOfFailure = (requestPayload: unknown, error: unknown) => ({
  version: '1.0',
  timestamp: new Date().toISOString(),
  requestContext: {
    requestId: randomUUID(),
    functionArn: 'arn:aws:lambda:local:000000000000:function:record-provider-event:$LATEST',
    condition: error instanceof TooManyExecutions ? 'EventAgeExceeded' : 'RetriesExhausted',
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

export const startEventRetries = ({ queueUrl, loadHandler, report }: FunctionQueueOptions) =>
  startQueueTrigger({
    queueUrl,
    invoke: (event) => invokeIntake(loadHandler, event),
    report: (fault) => report('event retries', fault),
    concurrency: eventRetrySettings.concurrentBatches,
    visibilityTimeoutSeconds: eventRetrySettings.visibilityTimeoutSeconds,
  });

/** Names the tenant by its ARN, as the stack's rule does. */
export const createTenantEvents =
  (loadHandler: HandlerLoader, report: FunctionQueueOptions['report'], signal?: AbortSignal) =>
  (arn: string): void => {
    const event = {
      source: 'aws.ses',
      // Either status will do: the function asks SES.
      'detail-type': 'Sending Status Disabled',
      resources: [arn],
    };
    const invocation = {
      maxEventAgeMs: tenantEventSettings.maxEventAgeHours * 3_600_000,
      ...(signal && { signal }),
    };
    invokeAsynchronously(loadHandler, 'check-tenant', event, invocation).catch((fault) =>
      report('check-tenant', fault),
    );
  };
