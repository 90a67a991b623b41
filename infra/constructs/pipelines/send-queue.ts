import { Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import { serviceMetric } from '../alarms/service-metric.ts';
import { grantPollMessages } from '../function-access.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import type { ServiceFunction } from '../service-function.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { sendQueueSettings } from './send-queue-settings.ts';

export type SendQueueProps = {
  readonly alarmTopic: ITopic;
  /** Batches of sends that are under way at a time. */
  readonly concurrentBatches: number;
};

/**
 * Decides when workers look at sends that wait for their moment. The sends themselves are in the table, so nothing here
 * can lose one: the schedule finds each that is due, whatever has become of its message.
 */
export class SendQueue extends Construct {
  readonly queue: Queue;
  readonly #props: SendQueueProps;

  constructor(scope: Construct, id: string, props: SendQueueProps) {
    super(scope, id);
    this.#props = props;
    const { alarmTopic } = props;
    const deadLetters = new DeadLetterQueue(this, 'DeadLetters', {
      impact:
        'Attempts at queued and scheduled emails fail in send-queued before they reach SES. Nothing is lost: the scheduled run makes them, a minute late. Read the errors of send-queued and fix the cause. Then purge this queue (SQS console, "Purge"), or start its redrive: neither loses nor repeats an email.',
      alarmTopic,
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(sendQueueSettings.visibilityTimeoutSeconds),
      deadLetterQueue: {
        queue: deadLetters.queue,
        maxReceiveCount: sendQueueSettings.maxReceiveCount,
      },
    });
    this.#sendsAreLate();
    this.#nobodyRunsTheQueue();
  }

  /** Lets the function send what is due, as soon as a message says so. */
  sendBy({ lambda, role }: ServiceFunction): void {
    grantPollMessages(role, this.queue);
    const mapping = new EventSourceMapping(this, 'Sends', {
      target: lambda,
      eventSourceArn: this.queue.queueArn,
      batchSize: sendQueueSettings.batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: this.#props.concurrentBatches,
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason:
        "For streams, which have no dead-letter queue: of a queue, the queue's own redrive policy leads to one.",
    });
  }

  runEachMinute(runSendQueue: IFunction): void {
    new FunctionSchedule(this, 'Schedule', {
      lambda: runSendQueue,
      every: Duration.minutes(1),
      description: 'Sends the emails that are due',
      whyNothingIsLost:
        'A scheduled run that fails leaves nothing to repeat: the next one finds the same sends a minute later, and an alarm rings when none succeeds for five.',
    });
  }

  #sendsAreLate(): void {
    const late = Duration.minutes(15);
    new ServiceAlarm(this, 'sends-late', {
      // The least of it: that a single run found a send late is what the next one cures.
      metric: serviceMetric(this, lateness, { statistic: 'Minimum', period: late }),
      threshold: late.toMilliseconds(),
      impact:
        'Queued and scheduled emails go out a quarter of an hour late and later. Either more are due than the SES rate of the account, or queuedSendsPerSecond, lets out: ask SES for a higher rate, or raise the setting. Or they fail: read the errors of run-send-queue and send-queued.',
      alarmTopic: this.#props.alarmTopic,
    });
  }

  /** Each run publishes how late it found the queue, so a run that fails counts as none. */
  #nobodyRunsTheQueue(): void {
    new ServiceAlarm(this, 'queue-not-run', {
      metric: serviceMetric(this, lateness, {
        statistic: 'SampleCount',
        period: Duration.minutes(5),
      }),
      minimum: 1,
      impact:
        'No run has looked for due emails for five minutes: scheduled ones may not go out, nor queued ones whose message was lost or whose attempt failed. Read the errors of run-send-queue, and whether its schedule is enabled. Nothing is lost: the next run takes up all of it. (Right after the first deployment it rings until the first run.)',
      alarmTopic: this.#props.alarmTopic,
    });
  }
}

const lateness = 'SendOldestDueLateness';
