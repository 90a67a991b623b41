import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import { postmarkAnswerOf, postmarkErrorOf } from '#shared/postmark/postmark-error';

describe('an error in Postmark’s form', () => {
  // Postmark's clients tell by both what to do: postmarkapp.com/developer/api/overview, "Error codes".
  it.each([
    ['provider_rejected', 422, 300],
    ['provider_unreachable', 503, 100],
    ['no_active_identity', 422, 400],
    ['idempotency_in_progress', 409, 300],
    ['rate_limited', 429, 429],
  ] as const)('has Postmark’s status and number: %s', (code, status, number) => {
    const error = new ServiceError(code, 'in words');

    expect(postmarkAnswerOf(error)).toMatchObject({ status });
    expect(postmarkErrorOf(error)).toMatchObject({ ErrorCode: number });
  });
});
