import { randomUUID } from 'node:crypto';
import type { SNSEvent } from 'aws-lambda';
import { type HandlerLoader, invokeFunction } from './function-invocation.ts';

const intakeFunction = 'record-provider-event';

/** Hands one SES event to the intake as SNS does; throws what the intake threw. */
export function createProviderEventIntake(
  loadHandler: HandlerLoader,
  topicArn: string,
): (event: unknown) => Promise<void> {
  return async (event) => {
    const notification = wrapInNotification(JSON.stringify(event), topicArn, new Date());
    const outcome = await invokeFunction(loadHandler, intakeFunction, notification);
    if (outcome.kind === 'threw') throw outcome.error;
    if (outcome.kind === 'timed-out') throw new Error(`${intakeFunction} timed out`);
  };
}

/** The event Lambda gets from SNS (Lambda guide, "Using AWS Lambda with Amazon SNS"). */
export function wrapInNotification(message: string, topicArn: string, now: Date): SNSEvent {
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
