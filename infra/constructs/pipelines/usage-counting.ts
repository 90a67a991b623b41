import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import { serviceMetric } from '../alarms/service-metric.ts';
import { maxRecordAgeHours, usageStream } from './table-stream-settings.ts';
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
      late: {
        impact: "Usage figures are an hour behind; sends aren't affected.",
        firstStep: `Read the errors of count-usage, and check whether Lambda throttles it. Changes not counted within ${maxRecordAgeHours} hours are lost.`,
      },
      givenUp: {
        impact: `count-usage failed on some records for ${maxRecordAgeHours} hours and gave up: usage figures are too low, and stay so. Sends aren't affected.`,
        firstStep: 'Read the errors of count-usage.',
      },
    });
    new ServiceAlarm(this, 'skipped', {
      metric: serviceMetric(this, 'UsageRecordSkipped', {
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 1,
      impact: 'count-usage skipped records, so usage figures lack sends or events.',
      firstStep: 'Search its log for "usage record skipped" and "usage given up".',
      runbook: 'work-in-the-background-fails',
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
        "Comparing usage with limits failed 3 times in an hour: recipientsPerDay isn't enforced, and no notices about bounces, complaints or unusual keys go out.",
      firstStep:
        'Search the log of count-usage for "figures not looked at". Until that is fixed, give each key a cap.',
      runbook: 'work-in-the-background-fails',
      alarmTopic,
    });
  }
}
