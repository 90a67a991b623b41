import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import type { ServiceFunction } from '../service-function.ts';

type IdentityChecksProps = {
  readonly checkIdentities: ServiceFunction;
  readonly alarmTopic: ITopic;
};

export class IdentityChecks extends Construct {
  constructor(scope: Construct, id: string, props: IdentityChecksProps) {
    super(scope, id);
    const { lambda, invoked } = props.checkIdentities;
    new FunctionSchedule(this, 'Schedule', {
      lambda: invoked,
      every: Duration.minutes(5),
      description: 'Checks From identities that are due',
      whyNothingIsLost:
        'A failed run needs no retry: the next one finds the same identities five minutes later, and an alarm rings when several fail.',
    });
    new ServiceAlarm(this, 'fail', {
      metric: lambda.metricErrors({ statistic: 'Sum', period: Duration.hours(1) }),
      // A failed check is repeated after 15 minutes.
      threshold: 3,
      impact:
        '3 runs of check-identities in an hour crashed or failed for every due domain: new domains stay pending, and lost ones stay in use.',
      firstStep: 'Read the errors of check-identities.',
      runbook: 'work-in-the-background-fails',
      alarmTopic: props.alarmTopic,
    });
  }
}
