import { randomUUID } from 'node:crypto';
import type { SNSEvent } from 'aws-lambda';
import { type HandlerLoader, invokeFunction } from '../gateway/function-invocation.ts';

const intakeFunction = 'record-provider-event';

/** Hands one SES event to the intake as SNS does; throws what the intake threw. */
export const createProviderEventIntake =
  (loadHandler: HandlerLoader, topicArn: string) =>
  async (event: unknown): Promise<void> => {
    await invokeIntake(
      loadHandler,
      wrapInNotification(JSON.stringify(event), topicArn, new Date()),
    );
  };

/** @returns what the intake returned; throws what it threw. */
export async function invokeIntake(loadHandler: HandlerLoader, event: unknown): Promise<unknown> {
  const outcome = await invokeFunction(loadHandler, intakeFunction, event);
  if (outcome.kind === 'returned') return outcome.result;
  throw outcome.kind === 'threw' ? outcome.error : new Error(`${intakeFunction} timed out`);
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
