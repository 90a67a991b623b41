import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertOutcomeOf, createAlertPoster } from '#shared/notice-targets/post-alert';
import type { WebhookPost } from '#shared/webhook-deliveries/webhook-poster';

const answered = (statusCode: number) =>
  ({ kind: 'answered', statusCode, answer: 'secret', retryAfterMs: undefined }) as const;

const alert = {
  source: 'Northwind',
  subject: 'A test',
  text: 'Test',
  severity: 'info',
  dedupKey: 'org:test',
  action: 'trigger',
  at: 1,
} as const;
const moments = { createdAt: 1, updatedAt: 1 };

describe('what came of an alert', () => {
  it.each([
    [200, 'delivered'],
    [202, 'delivered'],
    [302, 'refused'],
    [400, 'refused'],
    [404, 'refused'],
    [410, 'refused'],
    [408, 'unreachable'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('with status %i is %s', (status, kind) => {
    expect(alertOutcomeOf(answered(status)).kind).toBe(kind);
  });

  it('never has the answer’s words', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
        expect(JSON.stringify(alertOutcomeOf(answered(status)))).not.toContain('secret');
      }),
    );
  });

  it('without an answer is why there was none', () => {
    expect(alertOutcomeOf({ kind: 'unanswered', error: 'timeout' })).toEqual({
      kind: 'unreachable',
      reason: 'timeout',
    });
  });
});

describe('posting an alert', () => {
  it.each([
    [
      { type: 'slack', url: 'https://hooks.slack.com/services/T/B/x' },
      'https://hooks.slack.com/services/T/B/x',
    ],
    [
      { type: 'pagerduty', routingKey: 'k', region: 'us' },
      'https://events.pagerduty.com/v2/enqueue',
    ],
    [
      { type: 'pagerduty', routingKey: 'k', region: 'eu' },
      'https://events.eu.pagerduty.com/v2/enqueue',
    ],
  ] as const)('goes to where %j is', async (target, url) => {
    const posts: WebhookPost[] = [];
    const post = createAlertPoster({ allowLoopbackHttp: false }, async (one) => {
      posts.push(one);
      return answered(200);
    });

    expect(await post({ ...target, ...moments }, alert)).toEqual({ kind: 'delivered' });

    expect(posts.map((one) => one.url)).toEqual([url]);
  });

  it('never connects to an address that isn’t public, though it was stored', async () => {
    const post = createAlertPoster({ allowLoopbackHttp: false });
    for (const url of ['http://127.0.0.1/', 'https://169.254.169.254/', 'https://[::1]/']) {
      expect(await post({ type: 'slack', url, ...moments }, alert)).toEqual({
        kind: 'unreachable',
        reason: 'blocked_address',
      });
    }
  });
});
