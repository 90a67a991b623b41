import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstAttemptGraceMs, leaseMs } from '#shared/webhook-deliveries/delivery';
import { longestTriedMs, retryDelayMs } from '#shared/webhook-deliveries/retry-delay';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const attempts = fc.integer({ min: 1, max: 2_000 });
const jitters = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const asked = fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined });

describe('retryDelayMs', () => {
  it.each([
    { attempt: 1, delay: minuteMs },
    { attempt: 2, delay: 5 * minuteMs },
    { attempt: 3, delay: 25 * minuteMs },
    { attempt: 4, delay: hourMs },
    { attempt: 5, delay: hourMs },
  ])('is at most $delay ms after attempt $attempt', ({ attempt, delay }) => {
    expect(retryDelayMs(attempt, 0)).toBe(delay);
    expect(retryDelayMs(attempt, 0.999)).toBeGreaterThan(0.9 * delay);
    expect(retryDelayMs(attempt, 0.999)).toBeLessThan(delay);
  });

  it('is never over an hour, and never under nine tenths of a minute', () => {
    fc.assert(
      fc.property(attempts, jitters, asked, (attempt, jitter, retryAfterMs) => {
        const delay = retryDelayMs(attempt, jitter, retryAfterMs);

        expect(delay).toBeLessThanOrEqual(hourMs);
        expect(delay).toBeGreaterThanOrEqual(0.9 * minuteMs);
      }),
    );
  });

  it('grows from attempt to attempt up to an hour, whatever the jitter', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), jitters, jitters, (attempt, one, other) => {
        expect(retryDelayMs(attempt + 1, other)).toBeGreaterThan(retryDelayMs(attempt, one));
      }),
    );
  });

  it("is the receiver's requested delay when that is longer, up to an hour", () => {
    fc.assert(
      fc.property(attempts, jitters, fc.nat(10 * hourMs), (attempt, jitter, retryAfterMs) => {
        const delay = retryDelayMs(attempt, jitter, retryAfterMs);

        const own = retryDelayMs(attempt, jitter);
        expect(delay).toBe(Math.max(own, Math.min(retryAfterMs, hourMs)));
      }),
    );
  });
});

describe('longestTriedMs', () => {
  it('covers all attempts and the delays between them', () => {
    const delays = fc.array(fc.tuple(jitters, asked), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(delays, (drawn) => {
        const tried = drawn.reduce(
          (sum, [jitter, retryAfterMs], index) =>
            sum + leaseMs + retryDelayMs(index + 1, jitter, retryAfterMs),
          firstAttemptGraceMs,
        );

        expect(longestTriedMs(drawn.length)).toBeGreaterThanOrEqual(tried);
      }),
    );
  });
});
