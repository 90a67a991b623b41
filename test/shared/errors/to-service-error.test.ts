import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import { toServiceError } from '#shared/errors/to-service-error';
import { problemResponse } from '#shared/http/problem-response';

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
    expect(JSON.stringify(problemResponse(error, 'r'))).not.toContain('ann@example.com');
  });
});
