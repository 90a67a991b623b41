import { Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { grantPollMessages } from '../function-access.ts';
import type { ServiceFunction } from '../service-function.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { testEventSettings } from './test-event-settings.ts';

/**
 * The events of test emails, on a way of their own: whatever a program sends with test keys, SES's events of real emails
 * wait neither in a queue nor for a function because of it.
 */
export class TestEvents extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { alarmTopic }: { readonly alarmTopic: ITopic }) {
    super(scope, id);
    const deadLetters = new DeadLetterQueue(this, 'DeadLetters', {
      impact:
        'Events of test emails could not be recorded, so their timelines and webhooks lack them. Real emails are not affected. Read the errors of record-test-events and fix the cause. Then start the redrive of this queue, or purge it.',
      alarmTopic,
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(testEventSettings.visibilityTimeoutSeconds),
      deadLetterQueue: {
        queue: deadLetters.queue,
        maxReceiveCount: testEventSettings.maxReceiveCount,
      },
    });
  }

  deliverTo({ lambda, role }: ServiceFunction): void {
    grantPollMessages(role, this.queue);
    const mapping = new EventSourceMapping(this, 'Recording', {
      target: lambda,
      eventSourceArn: this.queue.queueArn,
      batchSize: testEventSettings.batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: testEventSettings.concurrentBatches,
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason:
        "For streams, which have no dead-letter queue: of a queue, the queue's own redrive policy leads to one.",
    });
  }
}
