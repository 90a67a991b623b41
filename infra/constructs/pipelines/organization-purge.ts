import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import type { ServiceFunction } from '../service-function.ts';

type OrganizationPurgeProps = {
  readonly purgeOrganizations: ServiceFunction;
  readonly alarmTopic: ITopic;
};

/** Runs hourly; each run continues where the last one stopped. */
export class OrganizationPurge extends Construct {
  constructor(scope: Construct, id: string, props: OrganizationPurgeProps) {
    super(scope, id);
    const { purgeOrganizations, alarmTopic } = props;
    const { lambda, invoked } = purgeOrganizations;
    new FunctionSchedule(this, 'Schedule', {
      lambda: invoked,
      every: Duration.hours(1),
      description: 'Removes what deleted organizations left behind',
      whyNothingIsLost:
        'A failed run needs no retry: the next one continues from there an hour later, and an alarm rings when several fail.',
    });
    new ServiceAlarm(this, 'fails', {
      metric: lambda.metricErrors({ statistic: 'Sum', period: Duration.hours(6) }),
      threshold: 3,
      impact:
        "3 runs of purge-organizations failed in 6 hours: deleted organizations' contacts and templates stay in the table, out of anyone's reach.",
      firstStep: 'Read the errors of purge-organizations.',
      runbook: 'work-in-the-background-fails',
      alarmTopic,
    });
  }
}
