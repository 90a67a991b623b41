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
      description: 'Checks the From identities that are due',
      whyNothingIsLost:
        'A run that fails leaves nothing to repeat: the next one finds the same identities five minutes later, and an alarm rings when several fail.',
    });
    new ServiceAlarm(this, 'fail', {
      metric: lambda.metricErrors({ statistic: 'Sum', period: Duration.hours(1) }),
      // A check that fails is repeated after a quarter of an hour.
      threshold: 3,
      impact:
        'Three runs within an hour died, or failed at each identity that was due: a new domain becomes active only when somebody looks at it, and a domain that SES has lost goes on being used. Read the errors of check-identities.',
      runbook: 'Work in the background fails',
      alarmTopic: props.alarmTopic,
    });
  }
}
