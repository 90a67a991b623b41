import { Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { WebhookAlarms } from '../alarms/webhook-alarms.ts';
import { grantPollMessages } from '../function-access.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import type { ServiceFunction } from '../service-function.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { webhookQueueSettings } from './webhook-queue-settings.ts';

export type WebhookDeliveryProps = {
  readonly alarmTopic: ITopic;
  /** Batches of first attempts that are under way at a time. */
  readonly concurrentBatches: number;
};

/**
 * Decides when webhook deliveries are attempted. The deliveries themselves are in the table, so nothing here can lose
 * one.
 *
 * | Attempt   | Started by                                                | When                      |
 * |-----------|-----------------------------------------------------------|---------------------------|
 * | the first | the queue, whose message is sent once the row is written  | at once                   |
 * | the first | the schedule, when that message was lost or came to nothing, or the endpoint is slow | a minute later, two at most |
 * | the later | the schedule                                              | in the minute after they are due |
 */
export class WebhookDelivery extends Construct {
  readonly queue: Queue;
  readonly #concurrentBatches: number;

  constructor(
    scope: Construct,
    id: string,
    { alarmTopic, concurrentBatches }: WebhookDeliveryProps,
  ) {
    super(scope, id);
    this.#concurrentBatches = concurrentBatches;
    const deadLetters = new DeadLetterQueue(this, 'DeadLetters', {
      impact:
        'First attempts at webhook deliveries fail in deliver-webhooks before they reach a receiver. Nothing is lost: the scheduled run makes them, up to two minutes late. Read the errors of deliver-webhooks and fix the cause. Then purge this queue (SQS console, "Purge"), or start its redrive: neither loses nor repeats a delivery.',
      alarmTopic,
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(webhookQueueSettings.visibilityTimeoutSeconds),
      deadLetterQueue: {
        queue: deadLetters.queue,
        maxReceiveCount: webhookQueueSettings.maxReceiveCount,
      },
    });
    new WebhookAlarms(this, 'Alarms', { alarmTopic });
  }

  /** Lets the function make the first attempts, as soon as their messages are in the queue. */
  deliverBy({ lambda, role }: ServiceFunction): void {
    grantPollMessages(role, this.queue);
    const mapping = new EventSourceMapping(this, 'FirstAttempts', {
      target: lambda,
      eventSourceArn: this.queue.queueArn,
      batchSize: webhookQueueSettings.batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: this.#concurrentBatches,
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason:
        "For streams, which have no dead-letter queue: of a queue, the queue's own redrive policy leads to one.",
    });
  }

  /** Lets the function run the retry queue. */
  runEachMinute(runWebhookQueue: IFunction): void {
    new FunctionSchedule(this, 'Schedule', {
      lambda: runWebhookQueue,
      every: Duration.minutes(1),
      description: 'Runs the webhook retry queue',
      whyNothingIsLost:
        'A scheduled run that fails leaves nothing to repeat: the next one finds the same rows a minute later, and an alarm rings when none succeeds for five.',
    });
  }
}
