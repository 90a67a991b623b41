import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes, ServiceError } from '#shared/errors/service-error';
import { problemResponse, statusOf, toServiceError } from '#shared/http/problem-response';
import { problemIn } from '../../support/problem.ts';

describe('statusOf', () => {
  it('gives the documented statuses', () => {
    const statuses = Object.fromEntries(errorCodes.map((code) => [code, statusOf(code)]));

    expect(statuses).toMatchObject({
      malformed_json: 400,
      unsupported_content_type: 400,
      validation_failed: 400,
      unknown_policy: 400,
      bulk_needs_one_recipient: 400,
      invalid_api_key: 401,
      plan_required: 402,
      missing_scope: 403,
      tenant_paused: 403,
      no_active_identity: 403,
      send_not_found: 404,
      idempotency_in_progress: 409,
      idempotency_key_reused: 422,
      rate_limited: 429,
      provider_throttled: 429,
      provider_unreachable: 500,
      provider_rejected: 500,
      provider_outcome_unknown: 500,
      internal_error: 500,
    } satisfies Partial<Record<ErrorCode, number>>);
  });
});

describe('problemResponse', () => {
  it.each(errorCodes)('renders %s as problem details', (code) => {
    const response = problemResponse(new ServiceError(code, 'What to do next.'), 'request-1');

    expect(response.statusCode).toBe(statusOf(code));
    expect(response.headers['Content-Type']).toBe('application/problem+json');
    expect(problemIn(response)).toMatchObject({
      type: `urn:problem:${code}`,
      title: expect.stringMatching(/\S/),
      status: statusOf(code),
      detail: 'What to do next.',
      instance: 'urn:request:request-1',
      code,
      requestId: 'request-1',
    });
  });

  it('lists the faults of a request', () => {
    const errors = [{ path: 'cc.3', message: 'must be an email address' }];
    const error = new ServiceError('validation_failed', 'Not valid.', { errors });

    expect(problemIn(problemResponse(error, 'request-1')).errors).toEqual(errors);
  });

  it('has no list of faults when there is none', () => {
    const response = problemResponse(new ServiceError('internal_error', 'Oh.'), 'request-1');

    expect(problemIn(response)).not.toHaveProperty('errors');
  });

  it('carries Retry-After when a retry may help, and only then', () => {
    const options = { retryAfterSeconds: 7 };

    const limited = problemResponse(new ServiceError('rate_limited', 'Wait.', options), 'r');
    const refused = problemResponse(new ServiceError('missing_scope', 'No.'), 'r');

    expect(limited.headers['Retry-After']).toBe('7');
    expect(refused.headers).not.toHaveProperty('Retry-After');
  });

  it('asks for a Bearer key with 401, and only then', () => {
    const unauthorised = problemResponse(new ServiceError('invalid_api_key', 'No.'), 'r');
    const forbidden = problemResponse(new ServiceError('missing_scope', 'No.'), 'r');

    expect(unauthorised.headers['WWW-Authenticate']).toBe('Bearer');
    expect(forbidden.headers).not.toHaveProperty('WWW-Authenticate');
  });

  it('says nothing of the cause', () => {
    const cause = new Error('ann@example.com is in ORG#org_1');
    const error = new ServiceError('provider_rejected', 'Refused.', { cause });

    const { body } = problemResponse(error, 'request-1');

    expect(body).not.toContain('ann@example.com');
    expect(body).not.toContain('ORG#');
    expect(body).not.toContain('at ');
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
    expect(JSON.stringify(problemResponse(error, 'r'))).not.toContain('ann@example.com');
  });
});
