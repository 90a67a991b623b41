import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sendFunctions } from '../../infra/constructs/function-catalogue.ts';
import { statementsOf } from './policy-statements.ts';
import { asText } from './resolve-intrinsics.ts';
import {
  functionPath,
  resourceAt,
  resourcesOfType,
  settings,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const stack = synthesiseStack();
// Its doubt window is two minutes.
const withSettings = synthesiseWithSettings();

describe('an alarm', () => {
  const alarms = resourcesOfType(stack, 'AWS::CloudWatch::Alarm');

  const runbook = readFileSync(join(import.meta.dirname, '../../infra/RUNBOOK.md'), 'utf8');
  it.each(resourcesOfType(withSettings, 'AWS::CloudWatch::Alarm'))(
    '$path names its section of the runbook',
    ({ Properties }) => {
      const description = String(Properties['AlarmDescription']);

      const [, section] = / infra\/RUNBOOK\.md, "([^"]+)"\.$/.exec(description) ?? [];
      expect(runbook).toContain(`\n## ${section}\n`);
      // CloudWatch takes no more.
      expect(description.length).toBeLessThanOrEqual(1_024);
    },
  );

  it.each(alarms)('$path states its impact and reaches the alarm topic', ({ Properties }) => {
    const alarmTopic = { Ref: resourceAt(stack, 'AlarmTopic/Topic').logicalId };

    expect(Properties['AlarmDescription']).toMatch(/\w{3,}.+\./);
    expect(Properties).toMatchObject({
      AlarmActions: [alarmTopic],
      OKActions: [alarmTopic],
    });
  });

  it.each(alarms)('$path rings without data only when there should always be some', (alarm) => {
    const { ComparisonOperator, TreatMissingData } = alarm.Properties;

    const asksForMore = ComparisonOperator === 'LessThanThreshold';
    expect(TreatMissingData).toBe(asksForMore ? 'breaching' : 'notBreaching');
  });

  it.each(sendFunctions)('rings when %s dies, which leaves an email of unknown outcome', (name) => {
    const { Properties } = resourceAt(stack, `Alarms/${name}-errors`);

    expect(Properties).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'Errors',
      Threshold: 1,
    });
    expect(Properties['Dimensions']).toEqual([
      {
        Name: 'FunctionName',
        Value: { Ref: resourceAt(stack, functionPath(name, 'Lambda')).logicalId },
      },
    ]);
  });

  it('rings when Send events take half the doubt window, before an email can go out twice', () => {
    const { Properties } = resourceAt(withSettings, 'Alarms/provider-events-late');
    expect(Properties).toMatchObject({
      Namespace: 'TransactionalEmail',
      MetricName: 'ProviderEventLag',
      Statistic: 'Maximum',
      Threshold: 60_000,
    });
  });

  it('rings when events wait as long in the retry queue, as an intake that is down tells nothing', () => {
    const { Properties } = resourceAt(withSettings, 'Alarms/provider-events-waiting');
    const queue = resourceAt(withSettings, 'ProviderEventPipeline/RetryQueue');
    expect(Properties).toMatchObject({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateAgeOfOldestMessage',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queue.logicalId, 'QueueName'] } }],
      Statistic: 'Maximum',
      Threshold: 60,
    });
  });

  it('rings when the API answers with server errors', () => {
    const { Properties } = resourceAt(stack, 'Alarms/http-5xx');

    expect(Properties).toMatchObject({
      Namespace: 'AWS/ApiGateway',
      MetricName: '5xx',
      Dimensions: [{ Name: 'ApiId', Value: { Ref: resourceAt(stack, 'HttpApi/Api').logicalId } }],
    });
  });
});

describe('the alarm of a flood', () => {
  it.each([
    [stack, 15_000],
    [withSettings, 7_500],
  ])(
    'rings when the API gets half of what a route takes, for five minutes',
    (synthesised, threshold) => {
      const { Properties } = resourceAt(synthesised, 'Alarms/http-requests');

      expect(Properties).toMatchObject({
        Namespace: 'AWS/ApiGateway',
        MetricName: 'Count',
        Period: 300,
        Statistic: 'Sum',
        Threshold: threshold,
      });
    },
  );
});

describe('the alarm of strangers', () => {
  it('rings when a fifth of the requests of five minutes has no known key or no route, of 300 at least', () => {
    const { Properties } = resourceAt(stack, 'Alarms/anonymous-requests');
    const filter = resourceAt(stack, 'HttpApi/Anonymous');

    expect(Properties).toMatchObject({
      Threshold: 20,
      Metrics: [
        { Expression: 'IF(FILL(anonymous, 0) >= 300, 100 * anonymous / requests, 0)' },
        {
          MetricStat: {
            Metric: {
              Namespace: 'TransactionalEmail/EmailService',
              MetricName: 'AnonymousRequests',
            },
            Period: 300,
            Stat: 'Sum',
          },
        },
        { MetricStat: { Metric: { Namespace: 'AWS/ApiGateway', MetricName: 'Count' } } },
      ],
    });
    expect(filter.Properties).toMatchObject({
      FilterPattern: '{ ($.status = "401") || ($.routeKey = "$default") }',
      LogGroupName: { Ref: resourceAt(stack, 'HttpApi/AccessLogs').logicalId },
      MetricTransformations: [
        { MetricNamespace: 'TransactionalEmail/EmailService', MetricName: 'AnonymousRequests' },
      ],
    });
  });
});

describe('the alarms of bounces and complaints', () => {
  it.each([
    ['bounce-rate-rises', 'Reputation.BounceRate', 0.02],
    ['bounce-rate-endangers', 'Reputation.BounceRate', 0.05],
    ['complaint-rate-rises', 'Reputation.ComplaintRate', 0.0005],
    ['complaint-rate-endangers', 'Reputation.ComplaintRate', 0.001],
  ])('%s rings on a day of 100 emails of the account at least', (id, MetricName, threshold) => {
    const day = { Period: 86_400 };
    expect(resourceAt(stack, `Reputation/${id}`).Properties).toMatchObject({
      Threshold: threshold,
      Metrics: [
        { Expression: 'IF(sends >= 100, rate, 0)' },
        {
          Id: 'sends',
          MetricStat: { Metric: { Namespace: 'AWS/SES', MetricName: 'Send' }, ...day, Stat: 'Sum' },
        },
        {
          Id: 'rate',
          MetricStat: { Metric: { Namespace: 'AWS/SES', MetricName }, ...day, Stat: 'Maximum' },
        },
      ],
    });
  });
});

describe('the alarms of an organization’s day', () => {
  it.each([
    ['near', 80],
    ['up', 100],
  ])('%s ring at %d percent of a limit', (how, threshold) => {
    expect(resourceAt(stack, `Alarms/organization-day-used-${how}`).Properties).toMatchObject({
      MetricName: 'OrganizationQuotaUsed',
      Statistic: 'Maximum',
      Threshold: threshold,
    });
  });
});

describe('the alarm topic', () => {
  it('accepts what CloudWatch of this account publishes', () => {
    const statements = statementsOf(resourceAt(stack, 'AlarmTopic/Topic/Policy'));

    const allowed = statements.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toMatchObject([
      {
        Action: ['sns:Publish'],
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
  });

  it('mails the addresses that the deployment names, and nobody by default', () => {
    const mailed = (synthesised: typeof stack) =>
      resourcesOfType(synthesised, 'AWS::SNS::Subscription')
        .filter(({ Properties }) => Properties['Protocol'] === 'email')
        .map(({ Properties }) => [
          asText(synthesised, Properties['TopicArn']),
          Properties['Endpoint'],
        ]);
    expect(mailed(withSettings)).toEqual(
      [settings.alarmEmail].flat().map((address) => ['AlarmTopic/Topic', address]),
    );
    expect(mailed(stack)).toEqual([]);
  });
});
