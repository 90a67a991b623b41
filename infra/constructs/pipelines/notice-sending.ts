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
      description: 'Sends due notices to organizations',
      whyNothingIsLost:
        'A failed run needs no retry: the next one finds the same notices a minute later, and an alarm rings when several fail.',
    });
    new ServiceAlarm(this, 'fails', {
      metric: lambda.metricErrors({ statistic: 'Sum', period: Duration.hours(1) }),
      // A failing notice is tried four times in its first hour.
      threshold: 3,
      impact:
        "3 runs of send-notices in an hour crashed or failed for every due notice: organizations aren't notified of failing webhooks, bounce rates and lost domains.",
      firstStep: 'Read the errors of send-notices. Nothing is lost for three days.',
      runbook: 'work-in-the-background-fails',
      alarmTopic,
    });
  }
}
