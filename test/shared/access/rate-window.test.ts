import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayNumberOf,
  minuteOf,
  rateLimitOf,
  retryAfterDayOf,
  retryAfterOf,
} from '#shared/access/rate-window';

const start = 29_000_000 * 60_000;

describe('rateLimitOf', () => {
  it.each([
    { count: 1, remaining: 2, isExceeded: false },
    { count: 3, remaining: 0, isExceeded: false },
    { count: 4, remaining: 0, isExceeded: true },
    { count: 400, remaining: 0, isExceeded: true },
    { count: 2, remaining: 1, isExceeded: true },
  ])(
    'knows what is left of a cap of 3 after $count requests',
    ({ count, remaining, isExceeded }) => {
      expect(rateLimitOf({ count, fits: !isExceeded }, 3, start)).toEqual({
        limit: 3,
        remaining,
        resetAt: start + 60_000,
        isExceeded,
      });
    },
  );

  it('resets at the next full minute, never now and never later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 59_999 }), (elapsed) => {
        const now = start + elapsed;

        expect(rateLimitOf({ count: 1, fits: true }, 3, now).resetAt).toBe(start + 60_000);
      }),
    );
  });
});

describe('minuteOf', () => {
  it('changes at the full minute', () => {
    const minutes = [start - 1, start, start + 59_999, start + 60_000].map(minuteOf);

    expect(minutes).toEqual([28_999_999, 29_000_000, 29_000_000, 29_000_001]);
  });
});

describe('retryAfterDayOf', () => {
  it('is in the next day, and no later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_399_999 }), (elapsed) => {
        const now = dayNumberOf(start) * 86_400_000 + elapsed;

        const seconds = retryAfterDayOf(now);

        expect(Number.isInteger(seconds)).toBe(true);
        expect(dayNumberOf(now + seconds * 1000)).toBe(dayNumberOf(now) + 1);
        expect(dayNumberOf(now + (seconds - 1) * 1000)).toBe(dayNumberOf(now));
      }),
    );
  });
});

describe('retryAfterOf', () => {
  it('is in whole seconds from 1 to 60, and ends in the next minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 59_999 }), (elapsed) => {
        const now = start + elapsed;

        const seconds = retryAfterOf(rateLimitOf({ count: 4, fits: false }, 3, now), now);

        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(60);
        expect(minuteOf(now + seconds * 1000)).toBe(minuteOf(now) + 1);
      }),
    );
  });
});
