import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Notice } from '#shared/notices/notice';
import type { Delivering } from '#shared/webhook-deliveries/attempt-delivery';
import { attemptDelivery } from '#shared/webhook-deliveries/attempt-delivery';
import type { DeliveryOutcome } from '#shared/webhook-deliveries/attempt-store';
import type { Attempt, Delivery } from '#shared/webhook-deliveries/delivery';
import { webhookBody } from '#shared/webhook-deliveries/outbox';
import { resendMessage } from '#shared/webhook-deliveries/resend-message';
import type { PostOutcome, WebhookPost } from '#shared/webhook-deliveries/webhook-poster';
import type { EndpointHealth } from '#shared/webhooks/endpoint-health';
import { SlowAnswers, slowAfterMs } from '#shared/webhooks/slow-answers';
import { disabledReasons, type Webhook } from '#shared/webhooks/webhook';
import type { WebhookHealthStore } from '#shared/webhooks/webhook-health-store';
import { buildEmailEvent } from '../../support/delivery-builder.ts';
import { fakeWebhookHealthStore, fakeWebhookStore } from '../../support/webhook-stores.ts';
import {
  buildDelivery,
  buildSecret,
  buildWebhook,
  webhookNow,
} from '../webhooks/webhook-builder.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Every POST takes this long. */
const postMs = 120;

const answered = (statusCode: number, retryAfterMs?: number): PostOutcome => ({
  kind: 'answered',
  statusCode,
  answer: `answer ${statusCode}`,
  retryAfterMs,
});

const type = 'email.delivered';
const resendBody = resendMessage(buildEmailEvent({ type })) ?? '';

const attemptAt = (at: number): Attempt => ({ at, durationMs: 50, statusCode: 500 });

type World = {
  /** The delivery that the claim returns; `undefined` when another process has it. */
  readonly claimed: Delivery | undefined;
  readonly webhook: Webhook | undefined;
  readonly outcome?: PostOutcome;
  readonly when?: 'first' | 'due';
  /** Runs during the POST. */
  readonly whilePosting?: () => unknown;
  readonly noteSlowness?: WebhookHealthStore['noteSlowness'];
  /** The health with an exhausted delivery; absent when the webhook was deleted. */
  readonly healthAfter?: EndpointHealth;
  /** Its host gets too many attempts. */
  readonly busyUrl?: string;
  /** What this process knew of the endpoint before. */
  readonly slowAnswers?: SlowAnswers;
};

/** A delivery at attempt number `attempt`, with a log of the earlier ones, to a healthy endpoint. */
function buildWorld(attempt = 1, overrides: Partial<Webhook> = {}): World {
  const webhook = buildWebhook(overrides);
  const attempts = Array.from({ length: attempt - 1 }, (_, index) => attemptAt(index));
  const claim = { attemptsStarted: attempt, attempts, leaseExpiresAt: webhookNow + 30_000 };
  return { claimed: buildDelivery({ webhookId: webhook.id, ...claim }), webhook };
}

/** Attempts the delivery of a world, and records the effects in order. */
async function attemptIn(world: World) {
  const { claimed, webhook, outcome = answered(200), when = 'due' } = world;
  const effects: string[] = [];
  const posts: WebhookPost[] = [];
  const settled: DeliveryOutcome[] = [];
  const notices: (Notice | undefined)[] = [];
  let now = webhookNow;
  let claims = 0;
  const delivering: Delivering = {
    now: () => now,
    random: () => 0,
    maxAttempts: 5,
    attempts: {
      claim: async () => {
        claims += 1;
        return claimed;
      },
      settle: async (delivery, result) => {
        expect(delivery.leaseExpiresAt).toBe(claimed?.leaseExpiresAt);
        settled.push(result);
        effects.push(`settle ${result.status}`);
      },
    },
    webhooks: fakeWebhookStore({
      get: async () => webhook,
      replace: async (before, after, alongside) => {
        notices.push(alongside?.notice);
        expect(before).toEqual(webhook);
        const { disabled } = after;
        expect(after).toEqual({
          ...before,
          disabled: { reason: disabled?.reason, at: now },
          updatedAt: now,
        });
        effects.push(`disable ${disabled?.reason}`);
        return 'stored';
      },
    }),
    healths: fakeWebhookHealthStore({
      noteSlowness: async (id, at) => {
        expect(id).toBe(webhook?.id);
        effects.push('note slowness');
        await world.noteSlowness?.(id, at);
      },
      noteExhausted: async (id, at) => {
        expect([id, at]).toEqual([webhook?.id, now]);
        effects.push('note exhausted');
        return world.healthAfter ?? 'deleted';
      },
      noteDelivered: async (id, health) => {
        expect([id, health]).toEqual([webhook?.id, webhook?.health]);
        effects.push('note delivered');
      },
      noteFailing: async (noted, at) => {
        expect([noted, at]).toEqual([webhook, now]);
        effects.push('note failing');
      },
      noteWorking: async (id, since) => {
        expect([id, since]).toEqual([webhook?.id, webhook?.failingSince]);
        effects.push('note working');
      },
    }),
    notices: {
      file: async (notice) => {
        notices.push(notice);
        effects.push('file notice');
      },
    },
    slowAnswers: world.slowAnswers ?? new SlowAnswers(),
    hosts: { take: async (url) => url !== world.busyUrl },
    post: async (post) => {
      posts.push(post);
      effects.push('post');
      await world.whilePosting?.();
      now += postMs;
      return outcome;
    },
  };
  const result = await attemptDelivery(claimed ?? buildDelivery(), when, delivering);
  return { result, effects, posts, claims, notices, settled: settled[0] };
}

describe('a delivery attempt', () => {
  it.each(['first', 'due'] as const)(
    'of kind %s is postponed, and not counted, while its host gets too many',
    async (when) => {
      const world = buildWorld();
      const busyUrl = String(world.webhook?.url);

      const { result, effects, claims } = await attemptIn({ ...world, when, busyUrl });

      expect({ result, effects, claims }).toEqual({ result: 'postponed', effects: [], claims: 0 });
    },
  );

  it('posts the stored body to the endpoint, signed, and logs the answer', async () => {
    const world = buildWorld();

    const { result, effects, posts, settled } = await attemptIn(world);

    expect(result).toBe('delivered');
    expect(effects).toEqual(['post', 'settle delivered']);
    expect(posts).toEqual([
      {
        url: 'https://receiver.example.com/hooks',
        body: world.claimed?.body,
        headers: {
          'webhook-id': world.claimed?.messageId,
          'webhook-timestamp': `${webhookNow / 1_000}`,
          'webhook-signature': expect.stringMatching(/^v1,\S{44}$/),
        },
      },
    ]);
    const attempt = { at: webhookNow, durationMs: postMs, statusCode: 200, answer: 'answer 200' };
    expect(settled).toEqual({ status: 'delivered', attempts: [attempt] });
  });

  it.each(['resend', undefined] as const)(
    'is sent with the headers of its stored form after the endpoint’s format became %s',
    async (format) => {
      const world = buildWorld(1, format && { format });
      const body = format === 'resend' ? webhookBody(type, webhookNow, {}) : resendBody;
      const claimed = world.claimed && { ...world.claimed, body };

      const { posts } = await attemptIn({ ...world, claimed });

      const family = format === 'resend' ? 'webhook' : 'svix';
      const names = ['id', 'timestamp', 'signature'].map((name) => `${family}-${name}`);
      expect(Object.keys(posts[0]?.headers ?? {})).toEqual(names);
    },
  );

  it('signs with both secrets during a rotation', async () => {
    const previousSecrets = [{ secret: buildSecret('b'), expiresAt: webhookNow + 1 }];

    const { posts } = await attemptIn(buildWorld(1, { previousSecrets }));

    expect(posts[0]?.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  });

  it('does nothing when another process has the delivery', async () => {
    const { result, effects } = await attemptIn({ claimed: undefined, webhook: buildWebhook() });

    expect(result).toBe('not_claimed');
    expect(effects).toEqual([]);
  });

  it.each([200, 201, 202, 204, 299])('succeeds with a %d', async (statusCode) => {
    const { result } = await attemptIn({ ...buildWorld(), outcome: answered(statusCode) });

    expect(result).toBe('delivered');
  });

  it('is logged after the earlier attempts', async () => {
    const { settled } = await attemptIn(buildWorld(3));

    expect(settled?.attempts).toEqual([attemptAt(0), attemptAt(1), expect.anything()]);
  });
});

describe('a failed delivery attempt', () => {
  it.each([199, 300, 301, 302, 307, 399, 400, 401, 404, 429, 500, 503])(
    'with a %d is retried later',
    async (statusCode) => {
      const { result, effects, settled } = await attemptIn({
        ...buildWorld(),
        outcome: answered(statusCode),
      });

      expect(result).toBe('rescheduled');
      expect(effects).toEqual(['post', 'settle pending', 'note failing']);
      expect(settled).toMatchObject({ dueAt: webhookNow + postMs + minuteMs });
    },
  );

  it('without an answer is retried later, and logged with the error', async () => {
    const outcome: PostOutcome = { kind: 'unanswered', error: 'timeout' };

    const { result, settled } = await attemptIn({ ...buildWorld(), outcome });

    expect(result).toBe('rescheduled');
    expect(settled?.attempts).toEqual([{ at: webhookNow, durationMs: postMs, error: 'timeout' }]);
  });

  it('as number 3 is retried later than the first', async () => {
    const { settled } = await attemptIn({ ...buildWorld(3), outcome: answered(500) });

    expect(settled).toMatchObject({ dueAt: webhookNow + postMs + 25 * minuteMs });
  });

  it('is retried when the receiver asks for it', async () => {
    const outcome = answered(429, 7 * minuteMs);

    const { settled } = await attemptIn({ ...buildWorld(), outcome });

    expect(settled).toMatchObject({ dueAt: webhookNow + postMs + 7 * minuteMs });
  });

  it('as number 5 is the last', async () => {
    const { result, settled } = await attemptIn({ ...buildWorld(5), outcome: answered(500) });

    expect(result).toBe('failed');
    expect(settled).toMatchObject({ status: 'failed', failureReason: 'attempts_exhausted' });
    expect(settled?.attempts).toHaveLength(5);
  });

  it('with a 410 ends the delivery and disables the webhook', async () => {
    const world = buildWorld();

    const { result, effects, notices, settled } = await attemptIn({
      ...world,
      outcome: answered(410),
    });

    expect(result).toBe('failed');
    expect(settled).toMatchObject({ status: 'failed', failureReason: 'endpoint_gone' });
    expect(effects).toEqual(['post', 'settle failed', 'disable gone']);
    expect(notices).toMatchObject([{ cause: 'webhook_disabled', about: world.webhook?.id }]);
  });
});

describe("an endpoint's health", () => {
  const exhausted = answered(500);
  const failingFor = (days: number, deliveries = 10): EndpointHealth => ({
    since: webhookNow + postMs - days * dayMs,
    exhausted: deliveries,
    delivered: 0,
  });

  it("isn't affected by failed attempts, however long the endpoint has been failing", async () => {
    const health = failingFor(30, 1_000);

    const noted = { health, failingSince: health.since };
    const { effects } = await attemptIn({ ...buildWorld(4, noted), outcome: exhausted });

    expect(effects).toEqual(['post', 'settle pending']);
  });

  it('is failing until an attempt succeeds, which costs one write at each end', async () => {
    const failing = { failingSince: webhookNow - dayMs };

    const again = await attemptIn({ ...buildWorld(2, failing), outcome: answered(500) });
    const success = await attemptIn(buildWorld(2, failing));

    expect(again.effects).toEqual(['post', 'settle pending']);
    expect(success.effects).toEqual(['post', 'settle delivered', 'note working']);
  });

  it('counts a delivery that used up its attempts, after its outcome is stored', async () => {
    const { effects } = await attemptIn({
      ...buildWorld(5),
      outcome: exhausted,
      healthAfter: failingFor(0, 1),
    });

    expect(effects).toEqual(['post', 'settle failed', 'note failing', 'note exhausted']);
  });

  it('disables the webhook when enough deliveries were exhausted for long enough', async () => {
    const { result, effects, notices } = await attemptIn({
      ...buildWorld(5),
      outcome: exhausted,
      healthAfter: failingFor(5),
    });

    expect(result).toBe('failed');
    expect(effects).toEqual([
      'post',
      'settle failed',
      'note failing',
      'note exhausted',
      'disable failing',
    ]);
    expect(notices).toMatchObject([{ cause: 'webhook_disabled' }]);
  });

  it.each([
    ['too few deliveries', failingFor(14, 9)],
    ['too short a time', failingFor(4.9, 1_000)],
  ])('notifies its owner, and disables nothing, for %s', async (_what, healthAfter) => {
    const { effects, notices } = await attemptIn({
      ...buildWorld(5),
      outcome: exhausted,
      healthAfter,
    });

    expect(effects).toEqual([
      'post',
      'settle failed',
      'note failing',
      'note exhausted',
      'file notice',
    ]);
    expect(notices).toMatchObject([{ cause: 'webhook_failing' }]);
  });

  it.each([
    ['the first day', failingFor(0.9, 1_000)],
    ['a deleted webhook', undefined],
  ])('disables nothing and notifies nobody for %s', async (_what, healthAfter) => {
    const world = { ...buildWorld(5), outcome: exhausted };

    const { effects } = await attemptIn({ ...world, ...(healthAfter && { healthAfter }) });

    expect(effects).toEqual(['post', 'settle failed', 'note failing', 'note exhausted']);
  });

  it('costs a success nothing when no delivery is exhausted', async () => {
    const { effects } = await attemptIn(buildWorld());

    expect(effects).toEqual(['post', 'settle delivered']);
  });

  it('counts a success while deliveries are exhausted', async () => {
    const { effects } = await attemptIn(buildWorld(1, { health: failingFor(9) }));

    expect(effects).toEqual(['post', 'settle delivered', 'note delivered']);
  });
});

describe('a redelivery', () => {
  const disabled = { reason: 'gone', at: webhookNow - 1 } as const;
  const health = { since: webhookNow - 9 * dayMs, exhausted: 99, delivered: 0 };

  function buildRedelivery(attempt: number, overrides: Partial<Webhook> = {}): World {
    const { claimed, webhook } = buildWorld(attempt, overrides);
    return { claimed: claimed && { ...claimed, redeliveryOf: buildDelivery().id }, webhook };
  }

  it.each([204, 500, 410])('that is answered %d leaves health alone', async (statusCode) => {
    const { effects } = await attemptIn({
      ...buildRedelivery(5, { health }),
      outcome: answered(statusCode),
    });

    expect(effects).toEqual(['post', statusCode === 204 ? 'settle delivered' : 'settle failed']);
  });

  it('is sent to a disabled webhook', async () => {
    const { result, effects } = await attemptIn(buildRedelivery(1, { disabled, health }));

    expect(result).toBe('delivered');
    expect(effects).toEqual(['post', 'settle delivered']);
  });
});

describe('a slow endpoint', () => {
  const slow = { slowUntil: webhookNow + 1 };

  /** A POST during which this much time passes. */
  function passing(milliseconds: number) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    return () => vi.advanceTimersByTimeAsync(milliseconds);
  }

  it("gets its first attempts only from the run, and the queue doesn't claim them", async () => {
    const { result, effects, claims } = await attemptIn({ ...buildWorld(1, slow), when: 'first' });

    expect(result).toBe('postponed');
    expect(effects).toEqual([]);
    expect(claims).toBe(0);
  });

  it('gets its attempts from the run', async () => {
    const { result } = await attemptIn({ ...buildWorld(1, slow), when: 'due' });

    expect(result).toBe('delivered');
  });

  it('gets its first attempts at once when its slow mark has expired', async () => {
    const world = buildWorld(1, { slowUntil: webhookNow });

    const { result } = await attemptIn({ ...world, when: 'first' });

    expect(result).toBe('delivered');
  });

  it('has a slow answer counted while the attempt still waits for it', async () => {
    const whilePosting = passing(slowAfterMs);

    const { effects } = await attemptIn({ ...buildWorld(), whilePosting });

    expect(effects).toEqual(['post', 'note slowness', 'settle delivered']);
  });

  it('has an answer counted once more for each three seconds', async () => {
    const whilePosting = passing(2.5 * slowAfterMs);

    const { effects } = await attemptIn({ ...buildWorld(), whilePosting });

    expect(effects).toEqual(['post', 'note slowness', 'note slowness', 'settle delivered']);
  });

  it('has nothing counted while it stays slow for another minute anyway', async () => {
    const whilePosting = passing(slowAfterMs);
    const slowFor = (milliseconds: number) =>
      buildWorld(1, { slowUntil: webhookNow + milliseconds });

    const long = await attemptIn({ ...slowFor(minuteMs + 1), whilePosting });
    const short = await attemptIn({ ...slowFor(minuteMs), whilePosting });

    expect(long.effects).toEqual(['post', 'settle delivered']);
    expect(short.effects).toEqual(['post', 'note slowness', 'settle delivered']);
  });

  it('has no timely answer counted, even when that time is over', async () => {
    const whilePosting = passing(slowAfterMs - 1);

    const { effects } = await attemptIn({ ...buildWorld(), whilePosting });
    await vi.advanceTimersByTimeAsync(10 * slowAfterMs);

    expect(effects).toEqual(['post', 'settle delivered']);
  });

  it('has no single slow answer counted among quick ones', async () => {
    const whilePosting = passing(slowAfterMs);
    const slowAnswers = new SlowAnswers();
    const world = buildWorld();
    for (let seen = 0; seen < 30; seen += 1) await attemptIn({ ...world, slowAnswers });

    const exception = await attemptIn({ ...world, slowAnswers, whilePosting });
    const next = await attemptIn({ ...world, slowAnswers, whilePosting });

    expect(exception.effects).toEqual(['post', 'settle delivered']);
    expect(next.effects).toEqual(['post', 'note slowness', 'settle delivered']);
  });

  it("loses no attempt when the count can't be stored", async () => {
    const whilePosting = passing(slowAfterMs);
    const noteSlowness = () => Promise.reject(new Error('throttled'));

    const { result } = await attemptIn({ ...buildWorld(), whilePosting, noteSlowness });

    expect(result).toBe('delivered');
  });
});

describe('a delivery that cannot be attempted', () => {
  it.each(disabledReasons)('fails when its webhook is disabled: %s', async (reason) => {
    const disabled = { reason, at: webhookNow - 1 };

    const { result, effects, settled } = await attemptIn(buildWorld(1, { disabled }));

    expect(result).toBe('failed');
    expect(effects).toEqual(['settle failed']);
    expect(settled).toMatchObject({ failureReason: 'endpoint_disabled', attempts: [] });
  });

  it('fails when its webhook was deleted', async () => {
    const { result, effects, settled } = await attemptIn({ ...buildWorld(), webhook: undefined });

    expect(result).toBe('failed');
    expect(effects).toEqual(['settle failed']);
    expect(settled).toMatchObject({ failureReason: 'endpoint_deleted' });
  });
});

describe('an attempt whose process died', () => {
  /** A delivery that is claimed for attempt number `started`; the log has fewer entries. */
  function buildInterrupted(started: number, logged: number): World {
    const { claimed, webhook } = buildWorld(logged + 1);
    return { claimed: claimed && { ...claimed, attemptsStarted: started }, webhook };
  }
  const interrupted = { at: webhookNow, durationMs: 0, error: 'interrupted' };

  it('is logged as interrupted by the next attempt', async () => {
    const { result, settled } = await attemptIn(buildInterrupted(3, 1));

    expect(result).toBe('delivered');
    expect(settled?.attempts).toEqual([attemptAt(0), interrupted, expect.anything()]);
  });

  it('is logged together with all others that died', async () => {
    const { settled } = await attemptIn(buildInterrupted(4, 0));

    expect(settled?.attempts).toEqual([interrupted, interrupted, interrupted, expect.anything()]);
  });

  it('counts, so the delivery fails when it was the last attempt', async () => {
    const { result, effects, settled } = await attemptIn(buildInterrupted(6, 4));

    expect(result).toBe('failed');
    expect(effects).toEqual(['settle failed']);
    expect(settled).toMatchObject({ failureReason: 'attempts_exhausted' });
    expect(settled?.attempts.at(-1)).toEqual(interrupted);
  });
});
