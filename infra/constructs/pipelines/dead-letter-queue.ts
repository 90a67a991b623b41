import { Duration, Validations } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type AlarmText, ServiceAlarm } from '../alarms/service-alarm.ts';
import { retentionDays } from './queue-settings.ts';

/** The alarm's words come from each pipeline. */
export type DeadLetterQueueProps = AlarmText & { readonly alarmTopic: ITopic };

export class DeadLetterQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, props: DeadLetterQueueProps) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      // Time to find the cause, fix it, and replay.
      retentionPeriod: Duration.days(retentionDays),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    Validations.of(this.queue).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'This is itself a dead-letter queue: an alarm rings when anything arrives in it.',
    });
    new ServiceAlarm(this, 'Alarm', {
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: 1,
      impact: props.impact,
      firstStep: props.firstStep,
      runbook: 'dead-letters',
      alarmTopic: props.alarmTopic,
    });
  }
}
