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
        'First attempts die in deliver-webhooks before they reach the receiver: some webhooks are delivered up to two minutes late. None is lost.',
      firstStep:
        'Read the errors of deliver-webhooks and fix the cause, then purge or redrive this queue: neither loses nor repeats a delivery.',
      alarmTopic,
    });
    const alarms = new Construct(this, 'Alarms');
    this.#attemptsFail(alarms, alarmTopic);
    addLatenessAlarms(alarms, {
      lateness: 'WebhookOldestDueLateness',
      runBy: 'retry-due-webhooks',
      late: {
        id: 'deliveries-late',
        threshold: Duration.minutes(5),
        impact: 'Due webhook attempts have been at least 5 minutes late for 5 minutes.',
        firstStep:
          'Read the log of retry-due-webhooks. If one endpoint is slow or down, tell its owner; if one host gets too many, raise webhooksPerSecondAndHost.',
      },
      notRun: 'webhook retries and some first attempts wait',
      runbook: 'a-receiver-of-webhooks-is-down',
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
        'At least 3 in 4 webhook attempts failed in 15 minutes: receivers learn of events late or, after the last attempt, not at all.',
      firstStep:
        'Check how many endpoints fail. If many, the cause is ours (network, TLS, signing); if one, tell its owner.',
      runbook: 'a-receiver-of-webhooks-is-down',
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
      description: 'Makes the webhook attempts that are due',
      whyNothingIsLost:
        'A failed run needs no retry: the next one finds the same deliveries a minute later, and an alarm rings when none succeeds for five minutes.',
    });
  }
}
