import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sendFunctions } from '../../infra/constructs/function-catalogue.ts';
import { type Datapoints, openAlarm } from './alarm-state.ts';
import { statementsOf } from './policy-statements.ts';
import { asText } from './resolve-intrinsics.ts';
import {
  functionPath,
  otherSettings,
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

      const [, section] = / See infra\/RUNBOOK\.md, "([^"]+)"\.$/.exec(description) ?? [];
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
});

describe('the alarm of requests that fail', () => {
  const alarm = openAlarm(stack, 'Alarms/http-5xx');
  const answers = 'Sum 5xx ApiId=HttpApi/Api';
  const inBatches = 'Sum BatchEmailFailed';
  const sendersFaults = 'Sum SendersFaultAnswered';

  it.each<[string, Datapoints]>([
    ['five answers are 5xx', { [answers]: [5] }],
    ['five emails fail in batches that are answered 200', { [inBatches]: [5] }],
    ['five fail alone or in batches', { [answers]: [2], [inBatches]: [3] }],
    ['five fail beside those that SES refused', { [answers]: [45], [sendersFaults]: [40] }],
  ])('rings when within five minutes %s', (_what, datapoints) => {
    expect(alarm.minutes).toBe(5);
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nothing fails', {}],
    ['a few fail, which callers retry', { [answers]: [3], [inBatches]: [1] }],
    ['SES refuses a sender’s own emails', { [answers]: [400], [sendersFaults]: [400] }],
  ])('is silent while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the alarm of events that wait', () => {
  const alarm = openAlarm(stack, 'Alarms/provider-events-waiting');
  const queue = 'QueueName=ProviderEventPipeline/RetryQueue';
  const waiting = `Minimum ApproximateNumberOfMessagesVisible ${queue}`;
  const hidden = `Minimum ApproximateNumberOfMessagesNotVisible ${queue}`;

  it.each([
    ['a single event fails at each retry, and is hidden between them', [0, 0, 0], [1, 1, 1]],
    ['an event is hidden in one minute and waits in the next', [0, 1, 0], [1, 0, 1]],
    ['nothing takes events out of the queue', [40, 80, 120], [0, 0, 0]],
    ['nothing takes events out of the queue, so SQS reports none as hidden', [40, 80, 120], []],
  ])('rings when %s', (_why, inSight, outOfSight) => {
    expect(alarm.rings({ [waiting]: inSight, [hidden]: outOfSight })).toBe(true);
  });

  it.each([
    ['an event is recorded at its first retries', [0, 0, 0], [0, 1, 0]],
    ['no event failed', [0, 0, 0], [0, 0, 0]],
    ['the queue is unused for hours', [], []],
  ])('is silent when %s', (_why, inSight, outOfSight) => {
    expect(alarm.rings({ [waiting]: inSight, [hidden]: outOfSight })).toBe(false);
  });

  it.each([
    ['two minutes', withSettings, 3],
    ['five minutes', stack, 3],
    ['twenty minutes', synthesiseStack(otherSettings), 10],
    ['half a day', synthesiseStack({ doubtWindowSeconds: 43_200 }), 15],
  ])('waits half a doubt window of %s, within bounds', (_window, synthesised, minutes) => {
    expect(openAlarm(synthesised, 'Alarms/provider-events-waiting').minutes).toBe(minutes);
  });
});

describe('the alarm of events that never come', () => {
  const alarm = openAlarm(stack, 'Alarms/provider-events-missing');
  const events = 'SampleCount ProviderEventLag';
  const atOnce = 'Sum SendSettled endpoint=send status=sent';
  const later = 'Sum WaitingSendAttempted outcome=sent';

  it('looks at all ways in which an email goes out, for half an hour', () => {
    expect(alarm.minutes).toBe(30);
    expect(alarm.metrics).toEqual([
      events,
      atOnce,
      'Sum SendSettled endpoint=send-global status=sent',
      later,
    ]);
  });

  it.each<[string, Datapoints]>([
    ['SES takes emails at once', { [atOnce]: [20, 900] }],
    ['SES takes queued emails', { [later]: [20, 20] }],
    ['SES takes emails of both kinds', { [atOnce]: [12, 5], [later]: [8, 15] }],
    [
      'the last event came before',
      { [events]: [30, undefined, undefined], [atOnce]: [30, 30, 30] },
    ],
  ])('rings when no event comes, and %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nobody sends', {}],
    ['few send', { [atOnce]: [19, 19] }],
    ['events come', { [events]: [25, 25], [atOnce]: [25, 25] }],
    ['a burst has its events in the next period', { [events]: [undefined, 500], [atOnce]: [500] }],
    ['a burst has just ended', { [atOnce]: [undefined, 500] }],
  ])('is silent while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the alarm of usage that nobody counts', () => {
  const alarm = openAlarm(stack, 'Alarms/usage-not-counted');
  const events = 'SampleCount ProviderEventLag';
  const counting = `Sum Invocations FunctionName=${functionPath('count-usage', 'Lambda')}` as const;

  it('rings when emails go out for half an hour, and count-usage does not run', () => {
    expect(alarm.minutes).toBe(30);
    expect(alarm.rings({ [events]: [20, 900] })).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nobody sends', {}],
    ['few send', { [events]: [19, 19] }],
    ['emails are counted', { [events]: [900, 900], [counting]: [45, 45] }],
    ['a burst is counted in the next period', { [events]: [30, 30], [counting]: [undefined, 1] }],
  ])('is silent while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the alarm of an SES that is too busy', () => {
  const alarm = openAlarm(stack, 'Alarms/sends-throttled');
  const throttled = 'Sum SendThrottled';
  const taken = 'SampleCount ProviderEventLag';

  it.each<[string, Datapoints]>([
    ['all emails', { [throttled]: [20, 20, 20] }],
    ['half of them', { [throttled]: [500, 500, 500], [taken]: [500, 500, 500] }],
  ])('rings when SES takes none of %s for a quarter of an hour', (_what, datapoints) => {
    expect(alarm.minutes).toBe(15);
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nobody sends', {}],
    ['a burst lasts ten minutes', { [throttled]: [undefined, 4_000, 4_000], [taken]: [9, 9, 9] }],
    ['a few are refused', { [throttled]: [19, 19, 19] }],
    ['most go out', { [throttled]: [400, 400, 400], [taken]: [500, 500, 500] }],
  ])('is silent while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the alarm of an SES that refuses all', () => {
  const alarm = openAlarm(stack, 'Alarms/sends-refused');
  const refused = 'Sum SendRefused fault=sender';
  const taken = 'SampleCount ProviderEventLag';

  it('rings when SES takes nothing, and refuses twenty emails in a quarter of an hour', () => {
    expect(alarm.minutes).toBe(15);
    expect(alarm.rings({ [refused]: [20] })).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nobody sends', {}],
    ['a few are refused', { [refused]: [19] }],
    ['anything of anybody goes out', { [refused]: [9_000], [taken]: [1] }],
  ])('is silent while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the alarm of queued emails that fail', () => {
  const alarm = openAlarm(stack, 'SendQueue/sends-fail');
  const sent = 'Sum WaitingSendAttempted outcome=sent';
  const postponed = 'Sum WaitingSendAttempted outcome=postponed';
  const failed = 'Sum WaitingSendAttempted outcome=failed';
  const inDoubt = 'Sum WaitingSendAttempted outcome=in_doubt';

  it.each<[string, Datapoints]>([
    ['is postponed', { [postponed]: [20] }],
    ['fails', { [failed]: [12], [postponed]: [8] }],
    ['stays in doubt, as SES answers none', { [inDoubt]: [20] }],
    ['fails, three of four', { [sent]: [25], [postponed]: [70], [failed]: [5] }],
  ])('rings when each attempt of a quarter of an hour %s', (_what, datapoints) => {
    expect(alarm.minutes).toBe(15);
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nothing is due', {}],
    ['few fail', { [failed]: [10], [postponed]: [9] }],
    ['more than a quarter goes out', { [sent]: [26], [postponed]: [74] }],
  ])('is silent while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });

  it('doesn’t look at emails that SES refused for the sender’s own fault', () => {
    const refused = 'Sum WaitingSendAttempted outcome=refused';

    expect(() => alarm.rings({ [refused]: [900] })).toThrow(/doesn't watch/);
  });
});

describe('the alarm of schedules that stop', () => {
  const alarm = openAlarm(stack, 'Alarms/schedules-stopped');
  const runs = (name: string) =>
    `Sum Invocations FunctionName=${functionPath(name, 'Lambda')}` as const;
  const running = {
    [runs('check-identities')]: [36],
    [runs('send-notices')]: [180],
    [runs('purge-organizations')]: [3],
  };

  it.each(Object.keys(running))('rings when there was no %s for three hours', (name) => {
    expect(alarm.minutes).toBe(180);
    expect(alarm.rings({ ...running, [name]: [] })).toBe(true);
  });

  it('is silent while each of them runs', () => {
    expect(alarm.rings(running)).toBe(false);
  });
});

describe('the alarms of work in the background', () => {
  it.each([
    ['IdentityChecks/fail', 'check-identities'],
    ['NoticeSending/fails', 'send-notices'],
  ])('%s rings at the third run of an hour that failed', (path, name) => {
    const alarm = openAlarm(stack, path);
    const errors = `Sum Errors FunctionName=${functionPath(name, 'Lambda')}`;

    expect(alarm.minutes).toBe(60);
    expect([2, 3].map((count) => alarm.rings({ [errors]: [count] }))).toEqual([false, true]);
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
    const ofFiveMinutes = { Period: 300, Stat: 'Sum' };

    expect(Properties).toMatchObject({
      Threshold: 20,
      Metrics: [
        { Expression: 'IF(FILL(anonymous, 0) >= 300, 100 * anonymous / requests, 0)' },
        { Id: 'anonymous', Expression: 'FILL(refused, 0) + FILL(unknown, 0)' },
        {
          // Counted where a key is refused: under `/resend`, that is a 403.
          Id: 'refused',
          MetricStat: {
            Metric: {
              Namespace: 'TransactionalEmail',
              MetricName: 'KeyRefused',
              Dimensions: [{ Name: 'service', Value: 'EmailService' }],
            },
            ...ofFiveMinutes,
          },
        },
        {
          Id: 'unknown',
          MetricStat: {
            Metric: { Namespace: 'TransactionalEmail/EmailService', MetricName: 'UnknownRoutes' },
            ...ofFiveMinutes,
          },
        },
        { MetricStat: { Metric: { Namespace: 'AWS/ApiGateway', MetricName: 'Count' } } },
      ],
    });
    expect(filter.Properties).toMatchObject({
      FilterPattern: '{ $.routeKey = "$default" }',
      LogGroupName: { Ref: resourceAt(stack, 'HttpApi/AccessLogs').logicalId },
      MetricTransformations: [
        { MetricNamespace: 'TransactionalEmail/EmailService', MetricName: 'UnknownRoutes' },
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
