import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import type { ServiceFunction } from '../service-function.ts';

type NoticeSendingProps = {
  readonly sendNotices: ServiceFunction;
  readonly alarmTopic: ITopic;
};

/** Runs every minute, as someone may be waiting for a link. */
export class NoticeSending extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { sendNotices: { lambda, invoked }, alarmTopic }: NoticeSendingProps,
  ) {
    super(scope, id);
    new FunctionSchedule(this, 'Schedule', {
      lambda: invoked,
      every: Duration.minutes(1),
      description: 'Sends the notices to organizations that are due',
      whyNothingIsLost:
        'A run that fails leaves nothing to repeat: the next one finds the same notices a minute later, and an alarm rings when several fail.',
    });
    new ServiceAlarm(this, 'fails', {
      metric: lambda.metricErrors({ statistic: 'Sum', period: Duration.hours(1) }),
      // A notice that fails is tried four times in its first hour.
      threshold: 3,
      impact:
        'Three runs within an hour died, or could send none of the notices that were due: organizations are not told of failing webhook endpoints, bounce rates and lost domains. Nothing is lost for three days. Read the errors of send-notices.',
      runbook: 'Work in the background fails',
      alarmTopic,
    });
  }
}
