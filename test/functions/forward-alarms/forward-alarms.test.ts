import { describe, expect, it } from 'vitest';
import { alarmTargetsSchema } from '#shared/notice-targets/alarm-targets';
import type { Alert } from '#shared/notice-targets/alert-message';
import type { NoticeTarget } from '#shared/notice-targets/notice-target';
import type { AlertOutcome } from '#shared/notice-targets/post-alert';
import { forwardAlarms } from '../../../functions/forward-alarms/forward-alarms.ts';
import { recordLog } from '../../support/recorded-log.ts';

const targets = alarmTargetsSchema.parse(
  JSON.stringify([
    { type: 'slack', url: 'https://hooks.slack.com/services/secret' },
    { type: 'pagerduty', routingKey: 'secret', region: 'eu' },
  ]),
);

/** As CloudWatch writes it. */
const message = (changes: object = {}) =>
  JSON.stringify({
    AlarmName: 'email-requests-fail',
    AlarmDescription: '5% of requests fail. Read the errors.',
    AWSAccountId: '123456789012',
    NewStateValue: 'ALARM',
    NewStateReason: 'Threshold Crossed: 1 datapoint was greater than the threshold (5.0).',
    StateChangeTime: '2026-11-21T09:00:00.000+0000',
    Region: 'EU (Ireland)',
    AlarmArn: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:email-requests-fail',
    OldStateValue: 'OK',
    ...changes,
  });

async function forward(
  messages: readonly string[],
  answers: (target: NoticeTarget, attempt: number) => AlertOutcome['kind'] = () => 'delivered',
  alarmTargets = async () => targets,
) {
  const posts: { readonly type: string; readonly alert: Alert }[] = [];
  const { log, lines } = recordLog();
  const forwarding = forwardAlarms(
    messages,
    {
      alarmTargets,
      now: () => 1,
      pause: async () => {},
      post: async (target, alert) => {
        posts.push({ type: target.type, alert });
        const attempt = posts.filter(({ type }) => type === target.type).length;
        const kind = answers(target, attempt);
        return kind === 'delivered' ? { kind } : { kind, reason: 'timeout' };
      },
    },
    log,
  );
  const failure = await forwarding.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { posts, failure, lines };
}

describe('an alarm', () => {
  it('goes to every target, with what it means and why it rang', async () => {
    const { posts } = await forward([message()]);

    expect(posts.map(({ type }) => type)).toEqual(['slack', 'pagerduty']);
    expect(posts[0]?.alert).toEqual({
      source: 'email-requests-fail',
      subject: 'Alarm: email-requests-fail',
      text: '5% of requests fail. Read the errors.\n\nThreshold Crossed: 1 datapoint was greater than the threshold (5.0).',
      severity: 'critical',
      dedupKey: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:email-requests-fail',
      action: 'trigger',
      at: Date.UTC(2026, 10, 21, 9),
    });
  });

  it('that is over resolves its incident', async () => {
    const { posts } = await forward([message(), message({ NewStateValue: 'OK' })]);

    const ofPagerDuty = posts.filter(({ type }) => type === 'pagerduty').map(({ alert }) => alert);
    expect(ofPagerDuty.map(({ action }) => action)).toEqual(['trigger', 'resolve']);
    expect(new Set(ofPagerDuty.map(({ dedupKey }) => dedupKey)).size).toBe(1);
  });

  it('reaches the others if one doesn’t answer, which is tried three times, and again by Lambda', async () => {
    const { posts, failure } = await forward([message()], ({ type }) =>
      type === 'slack' ? 'unreachable' : 'delivered',
    );

    expect(posts.filter(({ type }) => type === 'slack')).toHaveLength(3);
    expect(posts.filter(({ type }) => type === 'pagerduty')).toHaveLength(1);
    expect(String(failure)).toContain('could not be reached');
  });

  it('is forwarded at the second attempt', async () => {
    const { posts, failure } = await forward([message()], (_target, attempt) =>
      attempt === 1 ? 'unreachable' : 'delivered',
    );

    expect(posts).toHaveLength(4);
    expect(failure).toBeUndefined();
  });

  it('isn’t repeated to one that refuses it', async () => {
    const { posts, failure } = await forward([message()], () => 'refused');

    expect(posts).toHaveLength(2);
    expect(failure).toBeUndefined();
  });

  it.each(['', 'not JSON', '{}', 'null', message({ NewStateValue: 'INSUFFICIENT_DATA' })])(
    'isn’t %j',
    async (text) => {
      const unreadable = () => Promise.reject(new Error('must not be read'));

      expect(await forward([text], undefined, unreadable)).toMatchObject({
        posts: [],
        failure: undefined,
      });
    },
  );

  it('leaves no secret in the log or in its error', async () => {
    const { lines, failure } = await forward([message()], () => 'unreachable');

    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify([lines, String(failure)])).not.toMatch(/secret|hooks\.slack/);
  });
});

describe('the secret with the targets', () => {
  it.each([
    ['{}'],
    ['not-JSON'],
    ['[{"type":"discord","url":"https://discord.com"}]'],
    ['[{"type":"slack"}]'],
    ['[{"type":"pagerduty","routingKey":""}]'],
    [
      JSON.stringify(
        Array.from({ length: 6 }, () => ({ type: 'slack', url: 'https://x.example' })),
      ),
    ],
  ])('isn’t %s', (text) => {
    expect(() => alarmTargetsSchema.parse(text)).toThrow();
  });

  it.each([
    'https://hooks.slack.com/services/T0',
    '[{"type":"slack","url":"https://hooks.slack.com/T0}]',
  ])('isn’t in the error about it: %s', (text) => {
    expect(() => alarmTargetsSchema.parse(text)).toThrow(/^((?!hooks|slack|T0).)*$/s);
  });
});
