import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DueDelivery } from '#shared/table/delivery-keys';
import { waitingIn } from '#shared/webhook-deliveries/waiting';
import { mostAttempts, retryDelayMs } from '#shared/webhooks/retry-delay';
import { buildDelivery, buildWebhook, webhookNow as now } from '../webhooks/webhook-builder.ts';

const minuteMs = 60_000;
const webhook = buildWebhook();

const entry = (given: Partial<DueDelivery> = {}): DueDelivery => ({
  ...buildDelivery({ webhookId: webhook.id, attemptsStarted: 1 }),
  ...given,
});
const page = (entries: readonly DueDelivery[], hasMore = false) => ({ entries, hasMore });

describe('what waits at an endpoint', () => {
  it('is nothing while the queue makes first attempts', () => {
    const first = entry({ attemptsStarted: 0, dueAt: now + 1 });

    expect(waitingIn([page([first])], webhook, 5, now)).toEqual({ count: 0, isExact: true });
  });

  it('has a count, the oldest creation, the next attempt, and when the first is given up', () => {
    const entries = [
      entry({ createdAt: now - 40 * minuteMs, attemptsStarted: 3, dueAt: now + 20 * minuteMs }),
      entry({ createdAt: now - 10 * minuteMs, attemptsStarted: 2, dueAt: now + 2 * minuteMs }),
      entry({ createdAt: now - 2 * minuteMs, attemptsStarted: 0, dueAt: now - minuteMs }),
    ];

    expect(waitingIn([page(entries)], webhook, 5, now)).toEqual({
      count: 3,
      isExact: true,
      since: now - 40 * minuteMs,
      nextAttemptAt: now,
      exhaustedFrom: now + 80 * minuteMs,
    });
  });

  it("isn't exact if a shard has more", () => {
    const waiting = waitingIn([page([entry()]), page([entry()], true)], webhook, 5, now);

    expect(waiting).toMatchObject({ count: 2, isExact: false });
  });

  it('counts first attempts and says no times while the endpoint is paused', () => {
    const first = entry({ attemptsStarted: 0, dueAt: now + 1, createdAt: now - 5 });
    const paused = { ...webhook, pausedAt: now - 1 };

    expect(waitingIn([page([first])], paused, 5, now)).toEqual({
      count: 1,
      isExact: true,
      since: now - 5,
    });
  });

  it('is given up no sooner than attempts that fail at once, in either format', () => {
    fc.assert(
      fc.property(
        fc.constantFrom({}, { format: 'resend' } as const),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: -minuteMs, max: 60 * minuteMs }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (format, attemptsStarted, dueInMs, jitter) => {
          const retried = { ...webhook, ...format };
          const dueAt = now + dueInMs;
          const most = mostAttempts(retried, 5);
          let at = Math.max(now, dueAt);
          for (let attempt = attemptsStarted + 1; attempt < most; attempt += 1) {
            at += retryDelayMs(retried, attempt, jitter);
          }

          const waiting = waitingIn([page([entry({ attemptsStarted, dueAt })])], retried, 5, now);

          const spent = at - Math.max(now, dueAt);
          expect(waiting.exhaustedFrom).toBeGreaterThanOrEqual(at);
          expect(waiting.exhaustedFrom).toBeLessThanOrEqual(at + spent / 9 + most);
        },
      ),
    );
  });
});
