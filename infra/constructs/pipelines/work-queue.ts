import { Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { grantPollMessages } from '../function-access.ts';
import type { ServiceFunction } from '../service-function.ts';
import { DeadLetterQueue, type DeadLetterQueueProps } from './dead-letter-queue.ts';
import { retentionDays } from './queue-settings.ts';

type WorkQueueSettings = {
  readonly visibilityTimeoutSeconds: number;
  readonly maxReceiveCount: number;
};

export function createWorkQueue(
  scope: Construct,
  id: string,
  { visibilityTimeoutSeconds, maxReceiveCount }: WorkQueueSettings,
  deadLetters: DeadLetterQueueProps,
): Queue {
  const { queue } = new DeadLetterQueue(scope, 'DeadLetters', deadLetters);
  return new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(retentionDays),
    visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
    deadLetterQueue: { queue, maxReceiveCount },
  });
}

/** The function reports which messages of a batch failed. */
export function invokeFrom(
  queue: Queue,
  scope: Construct,
  id: string,
  { invoked, role }: ServiceFunction,
  batches: { readonly batchSize: number; readonly maxConcurrency: number },
): void {
  grantPollMessages(role, queue);
  const mapping = new EventSourceMapping(scope, id, {
    target: invoked,
    eventSourceArn: queue.queueArn,
    reportBatchItemFailures: true,
    ...batches,
  });
  Validations.of(mapping).acknowledge({
    id: 'Serverless-LambdaEventSourceMappingDestination',
    reason:
      "The rule is for streams, which have no dead-letter queue. A queue's own redrive policy leads to one.",
  });
}
