import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newWebhookId } from '#shared/tokens/resource-id';
import { attemptDelivery, type Delivering } from '#shared/webhook-deliveries/attempt-delivery';
import { type AttemptOccasion, claimDelivery } from '#shared/webhook-deliveries/attempt-store';
import type { Attempt, Delivery } from '#shared/webhook-deliveries/delivery';
import { getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { createHostPace } from '#shared/webhook-deliveries/host-pace';
import { webhookBody } from '#shared/webhook-deliveries/outbox';
import { resendMessage } from '#shared/webhook-deliveries/resend-message';
import type { PostOutcome, WebhookPost } from '#shared/webhook-deliveries/webhook-poster';
import type { EndpointHealth } from '#shared/webhooks/endpoint-health';
import { SlowAnswers, slowAfterMs } from '#shared/webhooks/slow-answers';
import { disabledReasons, type Webhook } from '#shared/webhooks/webhook';
import { createSharedReads, deleteWebhook } from '#shared/webhooks/webhook-store';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { buildEmailEvent } from '../../support/delivery-builder.ts';
import { storeDelivery } from '../../support/stored-delivery.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';
import { buildDelivery, buildSecret, webhookNow } from '../webhooks/webhook-builder.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Every POST takes this long. */
const postMs = 120;
const endedAt = webhookNow + postMs;

const answered = (statusCode: number, retryAfterMs?: number): PostOutcome => ({
  kind: 'answered',
  statusCode,
  answer: `answer ${statusCode}`,
  retryAfterMs,
});

const type = 'email.delivered';
const resendBody = resendMessage(buildEmailEvent({ type })) ?? '';

const attemptAt = (at: number): Attempt => ({ at, durationMs: 50, statusCode: 500 });

type Given = {
  /** The attempt's number. Earlier ones are in the delivery's log. */
  readonly number?: number;
  readonly delivery?: Partial<Delivery>;
  readonly outcome?: PostOutcome;
  readonly when?: AttemptOccasion;
  /** Runs before the delivery is attempted. */
  readonly beforehand?: (delivery: Delivery) => Promise<unknown>;
  /** Runs during the POST. */
  readonly whilePosting?: () => unknown;
  readonly hosts?: Delivering['posting']['hosts'];
};

/** A process that attempts deliveries to a webhook. */
async function openWorld(overrides: Partial<Webhook> = {}) {
  const account = await openWebhookAccount(overrides);
  const { table, webhook, clock, now, callsOf } = account;
  const slowAnswers = new SlowAnswers();

  /** Stores a delivery, and attempts it. */
  async function attempt({
    number = 1,
    outcome = answered(200),
    when = 'due',
    ...given
  }: Given = {}) {
    clock.at = webhookNow;
    const { id } = await storeDelivery(table, {
      webhookId: webhook.id,
      attempts: Array.from({ length: number - 1 }, (_, index) => attemptAt(index)),
      attemptsStarted: number - 1,
      dueAt: webhookNow,
      ...given.delivery,
    });
    const read = async () => {
      const delivery = await getDelivery(table, id, webhookNow);
      if (delivery === undefined) throw new Error('The delivery is gone');
      return delivery;
    };
    const before = await read();
    await given.beforehand?.(before);
    const posts: WebhookPost[] = [];
    const delivering: Delivering = {
      ...{ table, now, reads: createSharedReads(table, 0, now) },
      posting: {
        ...{ random: () => 0, maxAttempts: 5, slowAnswers },
        hosts: given.hosts ?? createHostPace(1_000),
        post: async (post) => {
          posts.push(post);
          await given.whilePosting?.();
          clock.at += postMs;
          return outcome;
        },
      },
    };
    let result: string | undefined;
    const calls = await callsOf(async () => {
      result = await attemptDelivery(before, when, delivering).catch((error) => `${error}`);
    });
    return {
      ...{ result, posts, before },
      updates: calls.filter((call) => call === 'UpdateItem').length,
      delivery: await read(),
    };
  }

  return { ...account, attempt };
}

describe('a delivery attempt', () => {
  it.each(['first', 'asked', 'due'] as const)(
    'of kind %s is postponed, and not counted, while its host gets too many',
    async (when) => {
      const { attempt, webhook } = await openWorld();
      const hosts = { take: async (url: string) => url !== webhook.url };

      const { result, posts, before, delivery } = await attempt({ when, hosts });

      expect({ result, posts }).toEqual({ result: 'postponed', posts: [] });
      expect(delivery).toEqual(before);
    },
  );

  it('posts the stored body to the endpoint, signed, and logs the answer', async () => {
    const { attempt } = await openWorld();

    const { result, posts, before, delivery } = await attempt();

    expect(result).toBe('delivered');
    expect(posts).toEqual([
      {
        url: 'https://receiver.example.com/hooks',
        body: before.body,
        headers: {
          'webhook-id': before.messageId,
          'webhook-timestamp': `${webhookNow / 1_000}`,
          'webhook-signature': expect.stringMatching(/^v1,\S{44}$/),
        },
      },
    ]);
    const logged = { at: webhookNow, durationMs: postMs, statusCode: 200, answer: 'answer 200' };
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [logged], updatedAt: endedAt });
  });

  it.each(['resend', undefined] as const)(
    'is sent with the headers of its stored form after the endpoint’s format became %s',
    async (format) => {
      const { attempt } = await openWorld(format && { format });
      const body = format === 'resend' ? webhookBody(type, webhookNow, {}) : resendBody;

      const { posts } = await attempt({ delivery: { body } });

      const family = format === 'resend' ? 'webhook' : 'svix';
      const names = ['id', 'timestamp', 'signature'].map((name) => `${family}-${name}`);
      expect(Object.keys(posts[0]?.headers ?? {})).toEqual(names);
    },
  );

  it('signs with both secrets during a rotation', async () => {
    const previousSecrets = [{ secret: buildSecret('b'), expiresAt: webhookNow + 1 }];
    const { attempt } = await openWorld({ previousSecrets });

    const { posts } = await attempt();

    expect(posts[0]?.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  });

  it('does nothing when another process has the delivery', async () => {
    const { attempt, table } = await openWorld();
    const beforehand = ({ id }: Delivery) => claimDelivery(table, id, 'due', webhookNow);

    const { result, posts, delivery } = await attempt({ beforehand });

    expect({ result, posts }).toEqual({ result: 'not_claimed', posts: [] });
    expect(delivery).toMatchObject({ status: 'pending', attemptsStarted: 1, attempts: [] });
  });

  it.each([200, 201, 202, 204, 299])('succeeds with a %d', async (statusCode) => {
    const { attempt } = await openWorld();

    const { result, delivery } = await attempt({ outcome: answered(statusCode) });

    expect([result, delivery.status]).toEqual(['delivered', 'delivered']);
  });

  it('is logged after the earlier attempts', async () => {
    const { attempt } = await openWorld();

    const { delivery } = await attempt({ number: 3 });

    expect(delivery.attempts).toEqual([attemptAt(0), attemptAt(1), expect.anything()]);
  });
});

describe('a failed delivery attempt', () => {
  it.each([199, 300, 301, 302, 307, 399, 400, 401, 404, 429, 500, 503])(
    'with a %d is retried later, and its endpoint is failing',
    async (statusCode) => {
      const { attempt, storedWebhook, webhook } = await openWorld();

      const { result, delivery } = await attempt({ outcome: answered(statusCode) });

      expect(result).toBe('rescheduled');
      expect(delivery).toMatchObject({ status: 'pending', dueAt: endedAt + minuteMs });
      expect(await storedWebhook()).toEqual({ ...webhook, failingSince: endedAt });
    },
  );

  it('without an answer is retried later, and logged with the error', async () => {
    const { attempt } = await openWorld();

    const { result, delivery } = await attempt({
      outcome: { kind: 'unanswered', error: 'timeout' },
    });

    expect(result).toBe('rescheduled');
    expect(delivery.attempts).toEqual([{ at: webhookNow, durationMs: postMs, error: 'timeout' }]);
  });

  it('as number 3 is retried later than the first', async () => {
    const { attempt } = await openWorld();

    const { delivery } = await attempt({ number: 3, outcome: answered(500) });

    expect(delivery.dueAt).toBe(endedAt + 25 * minuteMs);
  });

  it('is retried when the receiver asks for it', async () => {
    const { attempt } = await openWorld();

    const { delivery } = await attempt({ outcome: answered(429, 7 * minuteMs) });

    expect(delivery.dueAt).toBe(endedAt + 7 * minuteMs);
  });

  it('as number 5 is the last', async () => {
    const { attempt } = await openWorld();

    const { result, delivery } = await attempt({ number: 5, outcome: answered(500) });

    expect(result).toBe('failed');
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'attempts_exhausted' });
    expect(delivery.attempts).toHaveLength(5);
  });

  it.each([
    { given: { maxAttempts: 7 }, number: 5, result: 'rescheduled', waitsMs: 60 * minuteMs },
    { given: { maxAttempts: 7 }, number: 7, result: 'failed' },
    { given: { maxAttempts: 1 }, number: 1, result: 'failed' },
    { given: { format: 'resend' }, number: 1, result: 'rescheduled', waitsMs: 5_000 },
    { given: { format: 'resend' }, number: 7, result: 'rescheduled', waitsMs: 600 * minuteMs },
    { given: { format: 'resend' }, number: 8, result: 'failed' },
    { given: { format: 'resend', maxAttempts: 2 }, number: 2, result: 'failed' },
  ] as const)('as number $number to an endpoint with $given is $result', async (row) => {
    const { attempt } = await openWorld(row.given);

    const { result, delivery } = await attempt({ number: row.number, outcome: answered(500) });

    expect(result).toBe(row.result);
    if ('waitsMs' in row) expect(delivery.dueAt).toBe(endedAt + row.waitsMs);
  });

  it('is not made any more once its endpoint takes fewer than were begun', async () => {
    const { attempt } = await openWorld({ maxAttempts: 2 });

    const { posts, delivery } = await attempt({ number: 3 });

    expect(posts).toEqual([]);
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'attempts_exhausted' });
  });

  it('that somebody asked for is made once the delivery is due, and not before', async () => {
    const { attempt } = await openWorld();
    const dueAt = webhookNow + 1;

    const early = await attempt({ when: 'asked', number: 2, delivery: { dueAt } });
    const due = await attempt({ when: 'asked', number: 2 });

    expect({ result: early.result, posts: early.posts }).toEqual({
      result: 'not_claimed',
      posts: [],
    });
    expect(due.result).toBe('delivered');
    expect(due.delivery).toMatchObject({ status: 'delivered', attemptsStarted: 2 });
  });

  it.each(['first', 'asked', 'due'] as const)(
    'of kind %s is postponed, and not counted, while the endpoint is paused',
    async (when) => {
      const { attempt } = await openWorld({ pausedAt: webhookNow });

      const { result, posts, before, delivery, updates } = await attempt({ when });

      expect({ result, posts, updates }).toEqual({ result: 'postponed', posts: [], updates: 0 });
      expect(delivery).toEqual(before);
    },
  );

  it('with a 410 ends the delivery, disables the webhook and notifies its owner', async () => {
    const { attempt, webhook, storedWebhook, notices } = await openWorld();

    const { result, delivery } = await attempt({ outcome: answered(410) });

    expect(result).toBe('failed');
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'endpoint_gone' });
    const disabled = { reason: 'gone', at: endedAt };
    expect(await storedWebhook()).toEqual({ ...webhook, disabled, updatedAt: endedAt });
    expect(notices()).toMatchObject([{ cause: 'webhook_disabled', about: webhook.id }]);
  });
});

describe("an endpoint's health", () => {
  const failingFor = (days: number, exhausted: number): EndpointHealth => ({
    since: endedAt - days * dayMs,
    exhausted,
    delivered: 0,
  });
  const lastFailure = { number: 5, outcome: answered(500) };

  it("isn't affected by failed attempts, however long the endpoint has been failing", async () => {
    const health = failingFor(14, 1_000);
    const { attempt, webhook, storedWebhook } = await openWorld({
      ...{ health, failingSince: health.since },
    });

    await attempt({ number: 4, outcome: answered(500) });

    expect(await storedWebhook()).toEqual(webhook);
  });

  it('is failing until an attempt succeeds, which costs one write at each end', async () => {
    const { attempt, storedWebhook } = await openWorld({ failingSince: webhookNow - dayMs });

    const again = await attempt({ number: 2, outcome: answered(500) });
    const success = await attempt({ number: 2 });

    expect([again.updates, success.updates]).toEqual([2, 3]);
    expect(await storedWebhook()).not.toHaveProperty('failingSince');
  });

  it('counts a delivery that used up its attempts', async () => {
    const { attempt, webhook, storedWebhook } = await openWorld();

    await attempt(lastFailure);

    const health = { since: endedAt, exhausted: 1, delivered: 0 };
    expect(await storedWebhook()).toEqual({ ...webhook, failingSince: endedAt, health });
  });

  it("doesn't count a delivery when the process dies once its outcome is stored", async () => {
    const { attempt, webhook, storedWebhook, beforeNextWrite } = await openWorld();
    const goOn = async () => {};
    const die = () => Promise.reject(new Error('dead'));

    const { result, delivery } = await attempt({
      ...lastFailure,
      beforehand: async () => beforeNextWrite(goOn, goOn, die),
    });

    expect(result).toContain('dead');
    expect(delivery.status).toBe('failed');
    expect(await storedWebhook()).toEqual(webhook);
  });

  it('disables the webhook when enough deliveries were exhausted for long enough', async () => {
    const { attempt, webhook, storedWebhook, notices } = await openWorld({
      health: failingFor(5, 9),
    });

    const { result } = await attempt(lastFailure);

    expect(result).toBe('failed');
    expect(await storedWebhook()).toMatchObject({
      disabled: { reason: 'failing', at: endedAt },
      health: failingFor(5, 10),
    });
    expect(notices()).toMatchObject([{ cause: 'webhook_disabled', about: webhook.id }]);
  });

  it("disables nothing, and sends no notice, when the webhook's owner deletes it at that moment", async () => {
    const { attempt, storedWebhook, notices, beforeNextWrite, table, webhook } = await openWorld({
      health: failingFor(5, 9),
    });
    const goOn = async () => {};
    const remove = () => deleteWebhook(table, webhook.id, anyEntry());

    await attempt({
      ...lastFailure,
      beforehand: async () => beforeNextWrite(goOn, goOn, goOn, goOn, remove),
    });

    expect(await storedWebhook()).toBeUndefined();
    expect(notices()).toEqual([]);
  });

  it.each([
    ['too few deliveries', 14, 8],
    ['too short a time', 4.9, 1_000],
  ])('notifies its owner, and disables nothing, for %s', async (_what, days, exhausted) => {
    const { attempt, webhook, storedWebhook, notices } = await openWorld({
      health: failingFor(days, exhausted),
    });

    await attempt(lastFailure);

    expect(await storedWebhook()).not.toHaveProperty('disabled');
    expect(notices()).toMatchObject([{ cause: 'webhook_failing', about: webhook.id }]);
  });

  it('disables nothing and notifies nobody on the first day', async () => {
    const { attempt, storedWebhook, notices } = await openWorld({ health: failingFor(0.9, 1_000) });

    await attempt(lastFailure);

    expect(await storedWebhook()).not.toHaveProperty('disabled');
    expect(notices()).toEqual([]);
  });

  it('notifies nobody of a webhook that is deleted during the attempt', async () => {
    const { attempt, table, webhook, storedWebhook, notices } = await openWorld({
      health: failingFor(5, 9),
    });
    const whilePosting = () => deleteWebhook(table, webhook.id, anyEntry());

    const { result } = await attempt({ ...lastFailure, whilePosting });

    expect(result).toBe('failed');
    expect(await storedWebhook()).toBeUndefined();
    expect(notices()).toEqual([]);
  });

  it('costs a success nothing when no delivery is exhausted', async () => {
    const { attempt, webhook, storedWebhook } = await openWorld();

    const { updates } = await attempt();

    expect(updates).toBe(2);
    expect(await storedWebhook()).toEqual(webhook);
  });

  it('counts a success while deliveries are exhausted', async () => {
    const { attempt, storedWebhook } = await openWorld({ health: failingFor(9, 10) });

    await attempt();

    expect(await storedWebhook()).toMatchObject({
      health: { ...failingFor(9, 10), delivered: 1 },
    });
  });
});

describe('a redelivery', () => {
  const disabled = { reason: 'gone', at: webhookNow - 1 } as const;
  const health = { since: webhookNow - 9 * dayMs, exhausted: 99, delivered: 0 };
  const delivery = { redeliveryOf: buildDelivery().id };

  it.each([204, 500, 410])('that is answered %d leaves health alone', async (statusCode) => {
    const { attempt, webhook, storedWebhook } = await openWorld({ health });

    const attempted = await attempt({ number: 5, delivery, outcome: answered(statusCode) });

    expect(attempted.delivery.status).toBe(statusCode === 204 ? 'delivered' : 'failed');
    expect(await storedWebhook()).toEqual(webhook);
  });

  it('is sent to a disabled webhook', async () => {
    const { attempt, webhook, storedWebhook } = await openWorld({ disabled, health });

    const { result } = await attempt({ delivery });

    expect(result).toBe('delivered');
    expect(await storedWebhook()).toEqual(webhook);
  });
});

describe('a slow endpoint', () => {
  /** The mark after one slow answer, and what each further one adds. */
  const marked = webhookNow - 54_000;
  const addedMs = 6_000;

  /** A POST during which this much time passes. */
  function passing(milliseconds: number) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    return () => vi.advanceTimersByTimeAsync(milliseconds);
  }

  it.each(['first', 'asked'] as const)(
    "gets its attempts only from the run, and the queue doesn't claim those of kind %s",
    async (when) => {
      const { attempt } = await openWorld({ slowUntil: webhookNow + 1 });

      const { result, posts, before, delivery } = await attempt({ when });

      expect({ result, posts }).toEqual({ result: 'postponed', posts: [] });
      expect(delivery).toEqual(before);
    },
  );

  it('gets its attempts from the run', async () => {
    const { attempt } = await openWorld({ slowUntil: webhookNow + 1 });

    expect((await attempt({ when: 'due' })).result).toBe('delivered');
  });

  it('gets its first attempts at once when its slow mark has expired', async () => {
    const { attempt } = await openWorld({ slowUntil: webhookNow });

    expect((await attempt({ when: 'first' })).result).toBe('delivered');
  });

  it('has a slow answer counted while the attempt still waits for it', async () => {
    const { attempt, storedWebhook } = await openWorld();
    const pass = passing(slowAfterMs);
    const seen: (Webhook | undefined)[] = [];

    await attempt({
      whilePosting: async () => {
        await pass();
        seen.push(await storedWebhook());
      },
    });

    expect(seen).toMatchObject([{ slowUntil: marked }]);
  });

  it('has an answer counted once more for each three seconds', async () => {
    const { attempt, storedWebhook } = await openWorld();

    await attempt({ whilePosting: passing(2.5 * slowAfterMs) });

    expect(await storedWebhook()).toMatchObject({ slowUntil: marked + addedMs });
  });

  it.each([
    ['has nothing counted while it stays slow for another minute anyway', minuteMs + 1, 0],
    ['has a slow answer counted once it is slow for no more than a minute', minuteMs, addedMs],
  ])('%s', async (_what, slowForMs, added) => {
    const slowUntil = webhookNow + slowForMs;
    const { attempt, storedWebhook } = await openWorld({ slowUntil });

    await attempt({ whilePosting: passing(slowAfterMs) });

    expect(await storedWebhook()).toMatchObject({ slowUntil: slowUntil + added });
  });

  it('has no timely answer counted, even when that time is over', async () => {
    const { attempt, storedWebhook } = await openWorld();

    await attempt({ whilePosting: passing(slowAfterMs - 1) });
    await vi.advanceTimersByTimeAsync(10 * slowAfterMs);

    expect(await storedWebhook()).not.toHaveProperty('slowUntil');
  });

  it('has no single slow answer counted among quick ones', async () => {
    const { attempt, storedWebhook } = await openWorld();
    for (let seen = 0; seen < 30; seen += 1) await attempt();
    const whilePosting = passing(slowAfterMs);

    await attempt({ whilePosting });
    const exception = await storedWebhook();
    await attempt({ whilePosting });

    expect(exception).not.toHaveProperty('slowUntil');
    expect(await storedWebhook()).toMatchObject({ slowUntil: marked });
  });

  it("loses no attempt when the count can't be stored", async () => {
    const { attempt, storedWebhook, beforeNextWrite } = await openWorld();
    const goOn = async () => {};
    const throttled = () => Promise.reject(new Error('throttled'));

    const { result, delivery } = await attempt({
      beforehand: async () => beforeNextWrite(goOn, throttled),
      whilePosting: passing(slowAfterMs),
    });

    expect([result, delivery.status]).toEqual(['delivered', 'delivered']);
    expect(await storedWebhook()).not.toHaveProperty('slowUntil');
  });
});

describe("a delivery that can't be attempted", () => {
  it.each(disabledReasons)('fails when its webhook is disabled: %s', async (reason) => {
    const { attempt } = await openWorld({ disabled: { reason, at: webhookNow - 1 } });

    const { result, posts, delivery } = await attempt();

    expect({ result, posts }).toEqual({ result: 'failed', posts: [] });
    const failureReason = 'endpoint_disabled';
    expect(delivery).toMatchObject({ status: 'failed', failureReason, attempts: [] });
  });

  it('fails when it’s of the audit, which its webhook doesn’t get anymore', async () => {
    const { attempt } = await openWorld({ eventTypes: ['email.sent'] });

    const { result, posts, delivery } = await attempt({ delivery: { type: 'audit.recorded' } });

    expect({ result, posts }).toEqual({ result: 'failed', posts: [] });
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'event_not_wanted' });
  });

  it('fails when its webhook was deleted', async () => {
    const { attempt, organizationId } = await openWorld();
    const deleted = { webhookId: newWebhookId(organizationId) };

    const { result, posts, delivery } = await attempt({ delivery: deleted });

    expect({ result, posts }).toEqual({ result: 'failed', posts: [] });
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'endpoint_deleted' });
  });
});

describe('an attempt whose process died', () => {
  const interrupted = { at: webhookNow, durationMs: 0, error: 'interrupted' };

  it('is logged as interrupted by the next attempt', async () => {
    const { attempt } = await openWorld();

    const { result, delivery } = await attempt({ number: 2, delivery: { attemptsStarted: 2 } });

    expect(result).toBe('delivered');
    expect(delivery.attempts).toEqual([attemptAt(0), interrupted, expect.anything()]);
  });

  it('is logged together with all others that died', async () => {
    const { attempt } = await openWorld();

    const { delivery } = await attempt({ delivery: { attemptsStarted: 3 } });

    expect(delivery.attempts).toEqual([interrupted, interrupted, interrupted, expect.anything()]);
  });

  it('counts, so the delivery fails when it was the last attempt', async () => {
    const { attempt } = await openWorld();

    const { result, posts, delivery } = await attempt({
      number: 5,
      delivery: { attemptsStarted: 5 },
    });

    expect({ result, posts }).toEqual({ result: 'failed', posts: [] });
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'attempts_exhausted' });
    expect(delivery.attempts.at(-1)).toEqual(interrupted);
  });
});
