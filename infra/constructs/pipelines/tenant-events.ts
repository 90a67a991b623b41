import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Match, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ServiceAlarm } from '../alarms/service-alarm.ts';
import type { ServiceFunction } from '../service-function.ts';
import { tenantEventSettings } from './queue-settings.ts';

type TenantEventsProps = {
  readonly checkTenant: ServiceFunction;
  readonly alarmTopic: ITopic;
};

/**
 * SES's events about tenants, from the account's default bus. They are best effort, so the daily identity check also
 * reads the tenants' status.
 *
 * Source: EventBridge reference, "Amazon Simple Email Service events"; SES guide, "Tenants".
 */
export class TenantEvents extends Construct {
  constructor(scope: Construct, id: string, { checkTenant, alarmTopic }: TenantEventsProps) {
    super(scope, id);
    const { lambda, invoked } = checkTenant;
    const maxEventAge = Duration.hours(tenantEventSettings.maxEventAgeHours);
    const tenants = Stack.of(this).formatArn({
      service: 'ses',
      resource: 'tenant',
      resourceName: 'org_',
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    const rule = new Rule(this, 'SendingStatus', {
      description: 'SES paused or resumed an organization',
      eventPattern: {
        source: ['aws.ses'],
        detailType: ['Sending Status Enabled', 'Sending Status Disabled'],
        resources: Match.prefix(tenants),
      },
      targets: [new LambdaFunction(invoked, { maxEventAge, retryAttempts: 3 })],
    });
    invoked.configureAsyncInvoke({ retryAttempts: 2, maxEventAge });
    const reason =
      'The daily identity check finds whatever was lost, and an alarm rings at the third failure.';
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
    Validations.of(invoked).acknowledge({
      id: 'Serverless-LambdaAsyncFailureDestination',
      reason,
    });
    new ServiceAlarm(this, 'fail', {
      metric: lambda.metricErrors({ statistic: 'Sum', period: Duration.minutes(15) }),
      threshold: 3,
      impact:
        'SES paused or resumed an organization, but 3 attempts to record it in 15 minutes failed: until the daily check, its sends fail with provider_rejected or are refused needlessly.',
      firstStep: 'Read the errors of check-tenant.',
      runbook: 'work-in-the-background-fails',
      alarmTopic,
    });
  }
}
