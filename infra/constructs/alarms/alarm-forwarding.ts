import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { FilterOrPolicy, type ITopic, SubscriptionFilter } from 'aws-cdk-lib/aws-sns';
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../service-function.ts';
import { ServiceAlarm } from './service-alarm.ts';

type AlarmForwardingProps = {
  readonly forwardAlarms: ServiceFunction;
  readonly alarmTopic: ITopic;
};

/** Alarms in Slack, Teams and PagerDuty. Email stays, and says when this fails. */
export class AlarmForwarding extends Construct {
  constructor(scope: Construct, id: string, { forwardAlarms, alarmTopic }: AlarmForwardingProps) {
    super(scope, id);
    const { lambda, invoked } = forwardAlarms;
    const reason =
      'CloudWatch keeps the state and history of each alarm, and an alarm, which also goes to alarmEmail, rings when one could not be forwarded.';
    // Its own alarm would fail as well, and so ring forever. Named, since its metric needs the function, which needs this.
    const alarmName = `${Stack.of(this).stackName}-alarms-not-forwarded`;
    const isOther = SubscriptionFilter.stringFilter({ denylist: [alarmName] });
    const subscription = alarmTopic.addSubscription(
      new LambdaSubscription(invoked, {
        filterPolicyWithMessageBody: { AlarmName: FilterOrPolicy.filter(isOther) },
      }),
    );
    Validations.of(subscription).acknowledge({ id: 'Serverless-SNSRedrivePolicy', reason });
    invoked.configureAsyncInvoke({ retryAttempts: 2, maxEventAge: Duration.hours(1) });
    Validations.of(invoked).acknowledge({
      id: 'Serverless-LambdaAsyncFailureDestination',
      reason,
    });
    new ServiceAlarm(this, 'fails', {
      alarmName,
      metric: lambda.metricErrors({ statistic: 'Sum', period: Duration.minutes(15) }),
      threshold: 3,
      impact:
        'An alarm could not be forwarded to Slack, Teams or PagerDuty: read it in CloudWatch.',
      firstStep: 'Read the errors of forward-alarms, and check the secret with the targets.',
      runbook: 'work-in-the-background-fails',
      alarmTopic,
    });
  }
}
