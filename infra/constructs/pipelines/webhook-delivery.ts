import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { failurePercentage } from '../alarms/failure-percentage.ts';
import { addLatenessAlarms } from '../alarms/lateness-alarms.ts';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
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
    const alarms = new Construct(this, 'Alarms');
    this.#attemptsFail(alarms, alarmTopic);
    addLatenessAlarms(alarms, {
      lateness: 'WebhookOldestDueLateness',
      runBy: 'run-webhook-queue',
      late: {
        id: 'deliveries-late',
        threshold: Duration.minutes(5),
        impact:
          'Webhook deliveries wait five minutes and longer for an attempt that is due. Either an endpoint hangs or is down and has a backlog, which holds up no other endpoint, or a host gets more than webhooksPerSecondAndHost, or one delivery cannot be attempted at all: read the log of run-webhook-queue, and tell the owner of the endpoint.',
      },
      notRun:
        'No run has looked for due webhook deliveries for five minutes: no failed delivery is tried again, and first attempts whose message was lost are not made.',
      runbook: 'A receiver of webhooks is down',
      alarmTopic,
    });
  }

  #attemptsFail(alarms: Construct, alarmTopic: ITopic): void {
    new ServiceAlarm(alarms, 'attempts-fail', {
      metric: failurePercentage(alarms, {
        label: 'Webhook attempts that fail, in percent',
        counted: 'WebhookAttempted',
        by: 'result',
        succeeded: 'delivered',
        failed: ['rescheduled', 'failed'],
        period: Duration.minutes(15),
      }),
      threshold: 75,
      impact:
        'Three of four webhook attempts fail: receivers learn late, or after five attempts not at all, what became of their emails. When the timelines show it of many endpoints, the cause is ours (network, TLS, signing); when of one busy endpoint, tell its owner.',
      runbook: 'A receiver of webhooks is down',
      alarmTopic,
    });
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
