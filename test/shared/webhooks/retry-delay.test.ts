import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  longestDelaysMs,
  mostAttempts,
  mostOwnAttempts,
  remainingDelaysMs,
  retryDelayMs,
  retryScheduleText,
} from '#shared/webhooks/retry-delay';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const standard = {};
const resend = { format: 'resend' } as const;

const webhooks = fc.record(
  {
    format: fc.constant(resend.format),
    maxAttempts: fc.integer({ min: 1, max: mostOwnAttempts }),
  },
  { requiredKeys: [] },
);
const attempts = fc.integer({ min: 1, max: 2_000 });
const jitters = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const asked = fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined });

describe('retryDelayMs', () => {
  it.each([
    { webhook: standard, form: 'the standard', attempt: 1, delay: minuteMs },
    { webhook: standard, form: 'the standard', attempt: 2, delay: 5 * minuteMs },
    { webhook: standard, form: 'the standard', attempt: 3, delay: 25 * minuteMs },
    { webhook: standard, form: 'the standard', attempt: 4, delay: hourMs },
    { webhook: standard, form: 'the standard', attempt: 5, delay: hourMs },
    { webhook: resend, form: "Resend's", attempt: 1, delay: 5 * secondMs },
    { webhook: resend, form: "Resend's", attempt: 2, delay: 5 * minuteMs },
    { webhook: resend, form: "Resend's", attempt: 3, delay: 30 * minuteMs },
    { webhook: resend, form: "Resend's", attempt: 4, delay: 2 * hourMs },
    { webhook: resend, form: "Resend's", attempt: 5, delay: 5 * hourMs },
    { webhook: resend, form: "Resend's", attempt: 6, delay: 10 * hourMs },
    { webhook: resend, form: "Resend's", attempt: 7, delay: 10 * hourMs },
    { webhook: resend, form: "Resend's", attempt: 20, delay: 10 * hourMs },
  ])('in $form format is at most $delay ms after attempt $attempt', (row) => {
    const { webhook, attempt, delay } = row;

    expect(retryDelayMs(webhook, attempt, 0)).toBe(delay);
    expect(retryDelayMs(webhook, attempt, 0.999)).toBeGreaterThan(0.9 * delay);
    expect(retryDelayMs(webhook, attempt, 0.999)).toBeLessThan(delay);
  });

  it('in the standard format is never over an hour, and never under nine tenths of a minute', () => {
    fc.assert(
      fc.property(attempts, jitters, asked, (attempt, jitter, retryAfterMs) => {
        const delay = retryDelayMs(standard, attempt, jitter, retryAfterMs);

        expect(delay).toBeLessThanOrEqual(hourMs);
        expect(delay).toBeGreaterThanOrEqual(0.9 * minuteMs);
      }),
    );
  });

  it('grows from attempt to attempt up to the longest, whatever the jitter', () => {
    fc.assert(
      fc.property(webhooks, fc.nat(10), jitters, jitters, (webhook, before, one, other) => {
        const grows = retryDelayMs(webhook, before + 2, 0) > retryDelayMs(webhook, before + 1, 0);
        fc.pre(grows);

        expect(retryDelayMs(webhook, before + 2, other)).toBeGreaterThan(
          retryDelayMs(webhook, before + 1, one),
        );
      }),
    );
  });

  it("is the receiver's requested delay when that is longer, up to an hour", () => {
    fc.assert(
      fc.property(webhooks, attempts, jitters, fc.nat(10 * hourMs), (webhook, ...drawn) => {
        const [attempt, jitter, retryAfterMs] = drawn;
        const delay = retryDelayMs(webhook, attempt, jitter, retryAfterMs);

        const own = retryDelayMs(webhook, attempt, jitter);
        expect(delay).toBe(Math.max(own, Math.min(retryAfterMs, hourMs)));
      }),
    );
  });
});

it.each([
  [standard, 'At once, then after 1, 5 and 25 minutes, then every hour'],
  [resend, 'At once, then after 5 seconds, 5 and 30 minutes, 2 and 5 hours, then every 10 hours'],
])('the schedule of %o is: %s', (webhook, text) => {
  expect(retryScheduleText(webhook)).toBe(text);
});

describe('mostAttempts', () => {
  it.each([
    { webhook: standard, most: 5 },
    { webhook: { maxAttempts: 12 }, most: 12 },
    { webhook: resend, most: 8 },
    { webhook: { ...resend, maxAttempts: 3 }, most: 3 },
  ])('of $webhook is $most where the deployment makes 5', ({ webhook, most }) => {
    expect(mostAttempts(webhook, 5)).toBe(most);
  });
});

describe('remainingDelaysMs', () => {
  it("reaches almost 28 hours in Resend's format", () => {
    const tried = remainingDelaysMs(resend, 0, mostAttempts(resend, 5));

    expect(tried / hourMs).toBeGreaterThan(27.5);
    expect(tried / hourMs).toBeLessThan(28);
  });

  it.each([
    { attemptsStarted: 0, minutes: 91 },
    { attemptsStarted: 1, minutes: 90 },
    { attemptsStarted: 3, minutes: 60 },
    { attemptsStarted: 4, minutes: 0 },
    { attemptsStarted: 5, minutes: 0 },
  ])('of 5 attempts after $attemptsStarted is $minutes minutes', ({ attemptsStarted, minutes }) => {
    expect(remainingDelaysMs(standard, attemptsStarted, 5)).toBe(minutes * minuteMs);
  });

  it('is never more than the longest waits together', () => {
    fc.assert(
      fc.property(webhooks, fc.nat(30), (webhook, attemptsStarted) => {
        const most = mostAttempts(webhook, 5);

        expect(remainingDelaysMs(webhook, attemptsStarted, most)).toBeLessThanOrEqual(
          longestDelaysMs(webhook, most),
        );
      }),
    );
  });
});
