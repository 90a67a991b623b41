import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import { serviceMetric } from '../alarms/service-metric.ts';
import { usageStream } from './table-stream-settings.ts';
import { TableStreamTrigger } from './table-stream-trigger.ts';

type UsageCountingProps = {
  readonly table: Table;
  readonly alarmTopic: ITopic;
};

/** Sends don't wait for it. */
export class UsageCounting extends TableStreamTrigger {
  constructor(scope: Construct, id: string, { table, alarmTopic }: UsageCountingProps) {
    super(scope, id, {
      table,
      alarmTopic,
      settings: usageStream,
      lateImpact:
        'Usage figures are an hour behind, as count-usage fails or is throttled. Sends are not affected, and nothing is lost yet: 23 hours after a change its count is. Read the errors of count-usage.',
      givenUpImpact:
        'Usage figures are too low, for good: count-usage failed for 23 hours on the records that this queue names (shard and sequence numbers). Sends are not affected. Read the errors of count-usage; the sends and events themselves are still in the table, to count anew from.',
    });
    new ServiceAlarm(this, 'skipped', {
      metric: serviceMetric(this, 'UsageRecordSkipped', {
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 1,
      impact:
        'Sends or events are missing in the usage figures, and count-usage went on without them. "usage record skipped" in its log names shard and sequence number of a record it could not read: most likely an attribute was changed and shared/usage/counted-changes.ts was not. "usage given up" names organization, month and counts that DynamoDB refused.',
      runbook: 'Work in the background fails',
      alarmTopic,
    });
    new ServiceAlarm(this, 'not-watched', {
      metric: serviceMetric(this, 'UsageNotWatched', {
        statistic: 'Sum',
        period: Duration.hours(1),
      }),
      // A throttled read is made good by the next batch, half a minute later.
      threshold: 3,
      impact:
        'Figures are counted, and nobody compares them with the limits: while this lasts, recipientsPerDay holds nobody back, and no notice tells of bounces, complaints or a key that sends unusually much. "figures not looked at" in the log of count-usage has the error. AccessDeniedException: its role lost a permission, or AWS judges a condition of it in another way; deploy again, or give each organization a cap per key until then.',
      runbook: 'Work in the background fails',
      alarmTopic,
    });
  }
}
