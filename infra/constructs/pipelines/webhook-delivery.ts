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

/** When deliveries are attempted: `shared/README.md`. Deliveries live in the table, so nothing here can lose one. */
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
        'Some webhooks are delivered up to two minutes late: their first attempts fail in deliver-webhooks before they reach the receiver. Nothing is lost: the scheduled run makes them. Read the errors of deliver-webhooks and fix the cause. Then purge this queue (SQS console, "Purge") or redrive it: neither loses or repeats a delivery.',
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
          "Due webhook attempts are at least 5 minutes late. Either an endpoint is slow or down and has a backlog (which doesn't hold up other endpoints), or a host gets more than webhooksPerSecondAndHost, or one delivery can't be attempted at all. Read the log of run-webhook-queue, and tell the endpoint's owner.",
      },
      notRun:
        "Webhook retries have stopped: no run has checked for due deliveries in 5 minutes. Failed deliveries aren't retried, and first attempts whose queue message was lost aren't made.",
      runbook: 'A receiver of webhooks is down',
      alarmTopic,
    });
  }

  #attemptsFail(alarms: Construct, alarmTopic: ITopic): void {
    new ServiceAlarm(alarms, 'attempts-fail', {
      metric: failurePercentage(alarms, {
        label: 'Failed webhook attempts, percent',
        counted: 'WebhookAttempted',
        by: 'result',
        succeeded: 'delivered',
        failed: ['rescheduled', 'failed'],
        period: Duration.minutes(15),
      }),
      threshold: 75,
      impact:
        "Three in four webhook attempts fail: receivers learn what happened to their emails late, or not at all after five attempts. Look at the timelines: if many endpoints fail, the cause is ours (network, TLS, signing); if it's one busy endpoint, tell its owner.",
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
        'A failed run needs no retry: the next one finds the same rows a minute later, and an alarm rings when none succeeds for five minutes.',
    });
  }
}
