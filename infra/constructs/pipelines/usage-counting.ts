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
        "Usage figures are an hour behind: count-usage fails or is throttled. Sends aren't affected, and nothing is lost yet: a change that isn't counted within 23 hours is. Read the errors of count-usage.",
      givenUpImpact:
        "Usage figures are too low and stay so: count-usage failed for 23 hours on the records that this queue names (shard and sequence numbers). Sends aren't affected. Read the errors of count-usage. The sends and events themselves are still in the table, so they can be counted again.",
    });
    new ServiceAlarm(this, 'skipped', {
      metric: serviceMetric(this, 'UsageRecordSkipped', {
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 1,
      impact:
        'Usage figures lack sends or events: count-usage skipped them. In its log, "usage record skipped" names the shard and sequence number of a record that it couldn\'t read: most likely an attribute changed and shared/usage/counted-changes.ts didn\'t. "usage given up" names the organization, month and counts that DynamoDB refused.',
      runbook: 'Work in the background fails',
      alarmTopic,
    });
    new ServiceAlarm(this, 'not-watched', {
      metric: serviceMetric(this, 'UsageNotWatched', {
        statistic: 'Sum',
        period: Duration.hours(1),
      }),
      // The next batch, half a minute later, makes up for a throttled read.
      threshold: 3,
      impact:
        'Usage is counted, but not compared with the limits: until this is fixed, recipientsPerDay stops nobody, and no notice goes out about bounces, complaints or a key that sends unusually much. "figures not looked at" in the log of count-usage has the error. AccessDeniedException: its role lost a permission, or AWS now evaluates one of its conditions differently. Deploy again; until then, give each organization a cap per key.',
      runbook: 'Work in the background fails',
      alarmTopic,
    });
  }
}
