import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sendFunctions } from '../../infra/constructs/function-catalogue.ts';
import { renderMarkdown } from '../../infra/docs/markdown.ts';
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
  synthesiseWithTenants,
} from './synthesised-stack.ts';

const stack = synthesiseStack();
// Its doubt window is two minutes.
const withSettings = synthesiseWithSettings();

describe('alarms', () => {
  const alarms = resourcesOfType(stack, 'AWS::CloudWatch::Alarm');

  const runbook = readFileSync(join(import.meta.dirname, '../../infra/RUNBOOK.md'), 'utf8');
  const anchors = renderMarkdown(runbook).sections.map((section) => section.anchor);
  it.each(resourcesOfType(withSettings, 'AWS::CloudWatch::Alarm'))(
    '$path has a short description that links to the runbook',
    ({ Properties }) => {
      const description = String(Properties['AlarmDescription']);

      const [, anchor] = / See infra\/RUNBOOK\.md#([\w-]+)$/.exec(description) ?? [];
      expect(anchors).toContain(anchor);
      // Read at night, on a phone: details belong in the runbook.
      expect(description.length).toBeLessThanOrEqual(400);
    },
  );

  it.each(alarms)('$path has a description and reports to the alarm topic', ({ Properties }) => {
    const alarmTopic = { Ref: resourceAt(stack, 'AlarmTopic/Topic').logicalId };

    expect(Properties['AlarmDescription']).toMatch(/\w{3,}.+\./);
    expect(Properties).toMatchObject({
      AlarmActions: [alarmTopic],
      OKActions: [alarmTopic],
    });
  });

  it.each(alarms)('$path rings on missing data only if it has a minimum', (alarm) => {
    const { ComparisonOperator, TreatMissingData } = alarm.Properties;

    const asksForMore = ComparisonOperator === 'LessThanThreshold';
    expect(TreatMissingData).toBe(asksForMore ? 'breaching' : 'notBreaching');
  });

  it.each(sendFunctions)(
    '%s-errors rings at the first crash, as it leaves a send in doubt',
    (name) => {
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
    },
  );

  it('provider-events-late rings at half the doubt window, before a retry can send twice', () => {
    const { Properties } = resourceAt(withSettings, 'Alarms/provider-events-late');
    expect(Properties).toMatchObject({
      Namespace: 'TransactionalEmail',
      MetricName: 'ProviderEventLag',
      Statistic: 'Maximum',
      Threshold: 60_000,
    });
  });
});

describe('the http-5xx alarm', () => {
  const alarm = openAlarm(stack, 'Alarms/http-5xx');
  const answers = 'Sum 5xx ApiId=HttpApi/Api';
  const inBatches = 'Sum BatchEmailFailed';
  const sendersFaults = 'Sum SendersFaultAnswered';

  it.each<[string, Datapoints]>([
    ['five answers are 5xx', { [answers]: [5] }],
    ['five emails fail in batches that are answered 200', { [inBatches]: [5] }],
    ['five fail alone or in batches', { [answers]: [2], [inBatches]: [3] }],
    ['five fail in addition to those that SES refused', { [answers]: [45], [sendersFaults]: [40] }],
  ])('rings when %s within five minutes', (_what, datapoints) => {
    expect(alarm.minutes).toBe(5);
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nothing fails', {}],
    ['only a few fail, which callers retry', { [answers]: [3], [inBatches]: [1] }],
    [
      'SES refuses emails through their sender’s fault',
      { [answers]: [400], [sendersFaults]: [400] },
    ],
  ])('stays quiet while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the provider-events-waiting alarm', () => {
  const alarm = openAlarm(stack, 'Alarms/provider-events-waiting');
  const queue = 'QueueName=ProviderEventPipeline/RetryQueue';
  const waiting = `Minimum ApproximateNumberOfMessagesVisible ${queue}`;
  const hidden = `Minimum ApproximateNumberOfMessagesNotVisible ${queue}`;

  it.each([
    ['a single event fails at each retry, and is hidden between them', [0, 0, 0], [1, 1, 1]],
    ['an event is hidden in one minute and waits in the next', [0, 1, 0], [1, 0, 1]],
    ['the queue is never drained', [40, 80, 120], [0, 0, 0]],
    ['the queue is never drained, so SQS reports no hidden messages', [40, 80, 120], []],
  ])('rings when %s', (_why, visibleCounts, hiddenCounts) => {
    expect(alarm.rings({ [waiting]: visibleCounts, [hidden]: hiddenCounts })).toBe(true);
  });

  it.each([
    ['an event is recorded on one of its first retries', [0, 0, 0], [0, 1, 0]],
    ['no event failed', [0, 0, 0], [0, 0, 0]],
    ['the queue is unused for hours', [], []],
  ])('stays quiet when %s', (_why, visibleCounts, hiddenCounts) => {
    expect(alarm.rings({ [waiting]: visibleCounts, [hidden]: hiddenCounts })).toBe(false);
  });

  it.each([
    ['two minutes', withSettings, 3],
    ['five minutes', stack, 3],
    ['twenty minutes', synthesiseStack(otherSettings), 10],
    ['half a day', synthesiseWithTenants(), 15],
  ])('waits half of a doubt window of %s, but 3 to 15 minutes', (_window, synthesised, minutes) => {
    expect(openAlarm(synthesised, 'Alarms/provider-events-waiting').minutes).toBe(minutes);
  });
});

describe('the provider-events-missing alarm', () => {
  const alarm = openAlarm(stack, 'Alarms/provider-events-missing');
  const events = 'SampleCount ProviderEventLag';
  const atOnce = 'Sum SendSettled endpoint=send status=sent';
  const later = 'Sum WaitingSendAttempted outcome=sent';

  it('counts immediate, global and queued sends over half an hour', () => {
    expect(alarm.minutes).toBe(30);
    expect(alarm.metrics).toEqual([
      events,
      atOnce,
      'Sum SendSettled endpoint=send-global status=sent',
      later,
    ]);
  });

  it.each<[string, Datapoints]>([
    ['SES accepts immediate emails', { [atOnce]: [20, 900] }],
    ['SES accepts queued emails', { [later]: [20, 20] }],
    ['SES accepts emails of both kinds', { [atOnce]: [12, 5], [later]: [8, 15] }],
    [
      'the last event came before that',
      { [events]: [30, undefined, undefined], [atOnce]: [30, 30, 30] },
    ],
  ])('rings without a single event while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['no email is sent', {}],
    ['few emails are sent', { [atOnce]: [19, 19] }],
    ['events arrive', { [events]: [25, 25], [atOnce]: [25, 25] }],
    ['a burst has its events in the next period', { [events]: [undefined, 500], [atOnce]: [500] }],
    ['a burst has just ended', { [atOnce]: [undefined, 500] }],
  ])('stays quiet while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the usage-not-counted alarm', () => {
  const alarm = openAlarm(stack, 'Alarms/usage-not-counted');
  const events = 'SampleCount ProviderEventLag';
  const counting = `Sum Invocations FunctionName=${functionPath('count-usage', 'Lambda')}` as const;

  it('rings when count-usage does not run for half an hour while emails go out', () => {
    expect(alarm.minutes).toBe(30);
    expect(alarm.rings({ [events]: [20, 900] })).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['no email is sent', {}],
    ['few emails are sent', { [events]: [19, 19] }],
    ['emails are counted', { [events]: [900, 900], [counting]: [45, 45] }],
    ['a burst is counted in the next period', { [events]: [30, 30], [counting]: [undefined, 1] }],
  ])('stays quiet while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the sends-throttled alarm', () => {
  const alarm = openAlarm(stack, 'Alarms/sends-throttled');
  const throttled = 'Sum SendThrottled';
  const taken = 'SampleCount ProviderEventLag';

  it.each<[string, Datapoints]>([
    ['all emails', { [throttled]: [20, 20, 20] }],
    ['half of the emails', { [throttled]: [500, 500, 500], [taken]: [500, 500, 500] }],
  ])('rings when SES throttles %s for 15 minutes', (_what, datapoints) => {
    expect(alarm.minutes).toBe(15);
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['no email is sent', {}],
    ['a burst lasts ten minutes', { [throttled]: [undefined, 4_000, 4_000], [taken]: [9, 9, 9] }],
    ['only a few are throttled', { [throttled]: [19, 19, 19] }],
    ['most emails go out', { [throttled]: [400, 400, 400], [taken]: [500, 500, 500] }],
  ])('stays quiet while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the sends-refused alarm', () => {
  const alarm = openAlarm(stack, 'Alarms/sends-refused');
  const refused = 'Sum SendRefused fault=sender';
  const taken = 'SampleCount ProviderEventLag';

  it('rings when SES refuses 20 emails in 15 minutes and accepts none', () => {
    expect(alarm.minutes).toBe(15);
    expect(alarm.rings({ [refused]: [20] })).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['no email is sent', {}],
    ['only a few are refused', { [refused]: [19] }],
    ['SES accepts a single email of any organization', { [refused]: [9_000], [taken]: [1] }],
  ])('stays quiet while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });
});

describe('the SendQueue/sends-fail alarm', () => {
  const alarm = openAlarm(stack, 'SendQueue/sends-fail');
  const sent = 'Sum WaitingSendAttempted outcome=sent';
  const postponed = 'Sum WaitingSendAttempted outcome=postponed';
  const failed = 'Sum WaitingSendAttempted outcome=failed';
  const inDoubt = 'Sum WaitingSendAttempted outcome=in_doubt';

  it.each<[string, Datapoints]>([
    ['are postponed', { [postponed]: [20] }],
    ['fail or are postponed', { [failed]: [12], [postponed]: [8] }],
    ['stay in doubt, because SES answers none', { [inDoubt]: [20] }],
    ['fail three times in four', { [sent]: [25], [postponed]: [70], [failed]: [5] }],
  ])('rings when attempts %s for 15 minutes', (_what, datapoints) => {
    expect(alarm.minutes).toBe(15);
    expect(alarm.rings(datapoints)).toBe(true);
  });

  it.each<[string, Datapoints]>([
    ['nothing is due', {}],
    ['only a few fail', { [failed]: [10], [postponed]: [9] }],
    ['more than a quarter goes out', { [sent]: [26], [postponed]: [74] }],
  ])('stays quiet while %s', (_what, datapoints) => {
    expect(alarm.rings(datapoints)).toBe(false);
  });

  it('ignores emails that SES refused through the sender’s fault', () => {
    const refused = 'Sum WaitingSendAttempted outcome=refused';

    expect(() => alarm.rings({ [refused]: [900] })).toThrow(/doesn't watch/);
  });
});

describe('the schedules-stopped alarm', () => {
  const alarm = openAlarm(stack, 'Alarms/schedules-stopped');
  const runs = (name: string) =>
    `Sum Invocations FunctionName=${functionPath(name, 'Lambda')}` as const;
  const running = {
    [runs('check-identities')]: [36],
    [runs('send-notices')]: [180],
    [runs('purge-organizations')]: [3],
  };

  it.each(Object.keys(running))('rings when %s does not run for three hours', (name) => {
    expect(alarm.minutes).toBe(180);
    expect(alarm.rings({ ...running, [name]: [] })).toBe(true);
  });

  it('stays quiet while all of them run', () => {
    expect(alarm.rings(running)).toBe(false);
  });
});

describe('the alarms of scheduled functions', () => {
  it.each([
    ['IdentityChecks/fail', 'check-identities'],
    ['NoticeSending/fails', 'send-notices'],
  ])('%s rings at the third failed run in an hour', (path, name) => {
    const alarm = openAlarm(stack, path);
    const errors = `Sum Errors FunctionName=${functionPath(name, 'Lambda')}`;

    expect(alarm.minutes).toBe(60);
    expect([2, 3].map((count) => alarm.rings({ [errors]: [count] }))).toEqual([false, true]);
  });
});

describe('the http-requests alarm', () => {
  it.each([
    [stack, 15_000],
    [withSettings, 7_500],
  ])(
    'rings when traffic holds at half the throttle of a route for five minutes',
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

describe('the anonymous-requests alarm', () => {
  it('rings when 20% of the requests in five minutes, and at least 300, have no known key or route', () => {
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

describe('the reputation alarms', () => {
  it.each([
    ['bounce-rate-rises', 'Reputation.BounceRate', 0.02],
    ['bounce-rate-endangers', 'Reputation.BounceRate', 0.05],
    ['complaint-rate-rises', 'Reputation.ComplaintRate', 0.0005],
    ['complaint-rate-endangers', 'Reputation.ComplaintRate', 0.001],
  ])('%s rings only on a day with at least 100 emails', (id, MetricName, threshold) => {
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

describe('the organization-day-used alarms', () => {
  it.each([
    ['near', 80],
    ['up', 100],
  ])('%s rings at %d percent of a daily limit', (how, threshold) => {
    expect(resourceAt(stack, `Alarms/organization-day-used-${how}`).Properties).toMatchObject({
      MetricName: 'OrganizationQuotaUsed',
      Statistic: 'Maximum',
      Threshold: threshold,
    });
  });
});

describe('the alarm topic', () => {
  it('accepts messages from CloudWatch in this account only', () => {
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

  it('emails the alarmEmail addresses, and no one by default', () => {
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
