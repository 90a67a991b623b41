import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { WebhookAlarms } from '../alarms/webhook-alarms.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import type { ServiceFunction } from '../service-function.ts';
import { webhookQueueSettings } from './queue-settings.ts';
import { createWorkQueue, invokeFrom } from './work-queue.ts';

type WebhookDeliveryProps = {
  readonly alarmTopic: ITopic;
  readonly concurrentBatches: number;
};

/** When deliveries are attempted: `shared/README.md`. They are in the table, so nothing here can lose one. */
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
    this.queue = createWorkQueue(this, 'Queue', webhookQueueSettings, {
      impact:
        'First attempts at webhook deliveries fail in deliver-webhooks before they reach a receiver. Nothing is lost: the scheduled run makes them, up to two minutes late. Read the errors of deliver-webhooks and fix the cause. Then purge this queue (SQS console, "Purge"), or start its redrive: neither loses nor repeats a delivery.',
      alarmTopic,
    });
    new WebhookAlarms(this, 'Alarms', alarmTopic);
  }

  deliverBy(deliverWebhooks: ServiceFunction): void {
    invokeFrom(this.queue, this, 'FirstAttempts', deliverWebhooks, {
      batchSize: webhookQueueSettings.batchSize,
      maxConcurrency: this.#concurrentBatches,
    });
  }

  runEachMinute({ invoked }: ServiceFunction): void {
    new FunctionSchedule(this, 'Schedule', {
      lambda: invoked,
      every: Duration.minutes(1),
      description: 'Runs the webhook retry queue',
      whyNothingIsLost:
        'A scheduled run that fails leaves nothing to repeat: the next one finds the same rows a minute later, and an alarm rings when none succeeds for five.',
    });
  }
}
