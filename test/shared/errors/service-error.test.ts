import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError, secondsUntil, toServiceError } from '#shared/errors/service-error';
import { renderProblem } from '#shared/http/http-endpoint';

describe('secondsUntil', () => {
  it.each([
    { in: 1, seconds: 1 },
    { in: 1_000, seconds: 1 },
    { in: 1_001, seconds: 2 },
    { in: 300_000, seconds: 300 },
    { in: 0, seconds: 1 },
    { in: -5_000, seconds: 1 },
  ])('is $seconds for $in ms', ({ in: ms, seconds }) => {
    const now = 1_750_000_000_000;

    expect(secondsUntil(now + ms, now)).toBe(seconds);
  });

  it('is whole, at least 1, and never too early by itself', () => {
    const moment = fc.integer({ min: 0, max: 4_000_000_000_000 });

    fc.assert(
      fc.property(moment, moment, (then, now) => {
        const seconds = secondsUntil(then, now);

        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(now + seconds * 1000).toBeGreaterThanOrEqual(then);
      }),
    );
  });
});

describe('toServiceError', () => {
  it('leaves our own errors as they are', () => {
    const error = new ServiceError('missing_scope', 'No.');

    expect(toServiceError(error)).toBe(error);
  });

  it.each([
    ['an error', new TypeError('ann@example.com')],
    ['an error with a status', Object.assign(new Error('x'), { statusCode: 422 })],
    ['a string', 'ann@example.com'],
    ['an object', { statusCode: 422, message: 'ann@example.com' }],
    ['nothing', undefined],
  ])('turns %s into an internal error that says nothing of it', (_what, thrown) => {
    const error = toServiceError(thrown);

    expect(error.code).toBe('internal_error');
    expect(error.cause).toBe(thrown);
    expect(JSON.stringify(renderProblem(error, { requestId: 'r' }))).not.toContain(
      'ann@example.com',
    );
  });
});
