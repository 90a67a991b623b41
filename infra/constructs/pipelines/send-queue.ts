import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import { serviceMetric } from '../alarms/service-metric.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import type { ServiceFunction } from '../service-function.ts';
import { sendQueueSettings } from './queue-settings.ts';
import { createWorkQueue, invokeFrom } from './work-queue.ts';

export type SendQueueProps = {
  readonly alarmTopic: ITopic;
  /** Batches under way at a time. */
  readonly concurrentBatches: number;
};

/**
 * Decides when workers look at waiting sends. The sends are in the table, so nothing here can lose one: the schedule
 * finds each that is due, whatever happened to its message.
 */
export class SendQueue extends Construct {
  readonly queue: Queue;
  readonly #props: SendQueueProps;

  constructor(scope: Construct, id: string, props: SendQueueProps) {
    super(scope, id);
    this.#props = props;
    const { alarmTopic } = props;
    this.queue = createWorkQueue(this, 'Queue', sendQueueSettings, {
      impact:
        'Attempts at queued and scheduled emails fail in send-queued before they reach SES. Nothing is lost: the scheduled run makes them, a minute late. Read the errors of send-queued and fix the cause. Then purge this queue (SQS console, "Purge"), or start its redrive: neither loses nor repeats an email.',
      alarmTopic,
    });
    this.#sendsAreLate();
    this.#nobodyRunsTheQueue();
  }

  /** As soon as a message says that something is due. */
  sendBy(sendQueued: ServiceFunction): void {
    invokeFrom(this.queue, this, 'Sends', sendQueued, {
      batchSize: sendQueueSettings.batchSize,
      maxConcurrency: this.#props.concurrentBatches,
    });
  }

  runEachMinute({ invoked }: ServiceFunction): void {
    new FunctionSchedule(this, 'Schedule', {
      lambda: invoked,
      every: Duration.minutes(1),
      description: 'Sends the emails that are due',
      whyNothingIsLost:
        'A scheduled run that fails leaves nothing to repeat: the next one finds the same sends a minute later, and an alarm rings when none succeeds for five.',
    });
  }

  #sendsAreLate(): void {
    const late = Duration.minutes(15);
    new ServiceAlarm(this, 'sends-late', {
      // The least: if a single run found a send late, the next one cures it.
      metric: serviceMetric(this, lateness, { statistic: 'Minimum', period: late }),
      threshold: late.toMilliseconds(),
      impact:
        'Queued and scheduled emails go out a quarter of an hour late and later. Either more are due than the SES rate of the account, or queuedSendsPerSecond, lets out: ask SES for a higher rate, or raise the setting. Or they fail: read the errors of run-send-queue and send-queued.',
      runbook: 'Emails go out late',
      alarmTopic: this.#props.alarmTopic,
    });
  }

  /** Each run publishes how late it found the queue, so a failed run counts as none. */
  #nobodyRunsTheQueue(): void {
    new ServiceAlarm(this, 'queue-not-run', {
      metric: serviceMetric(this, lateness, {
        statistic: 'SampleCount',
        period: Duration.minutes(5),
      }),
      minimum: 1,
      impact:
        'No run has looked for due emails for five minutes: scheduled ones may not go out, nor queued ones whose message was lost or whose attempt failed. Read the errors of run-send-queue, and whether its schedule is enabled. Nothing is lost: the next run takes up all of it. (Right after the first deployment it rings until the first run.)',
      runbook: 'Emails go out late',
      alarmTopic: this.#props.alarmTopic,
    });
  }
}

const lateness = 'SendOldestDueLateness';
