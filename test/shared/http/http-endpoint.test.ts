import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { invalidApiKey } from '#shared/access/api-key';
import { errorCodes, statusOf } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import { type HttpRequest, httpEndpoint, renderProblem } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { sourceNetworkOf } from '#shared/http/source-address';
import { renderPostmarkError } from '#shared/postmark/postmark-error';
import { renderResendError } from '#shared/resend/resend-error';
import { readItem } from '#shared/table/reads';
import { captureOutput } from '../../support/captured-output.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { problemIn } from '../../support/problem.ts';

const succeed = httpEndpoint(async () => jsonResponse({}));

const failWith = (error: unknown) =>
  httpEndpoint(async () => {
    throw error;
  });

const post = (body: string, overrides: Parameters<typeof buildHttpEvent>[0] = {}) =>
  buildHttpEvent({ body, ...overrides });

describe('a refused key', () => {
  const counted = /"KeyRefused":\[?1\]?/;

  it.each([
    ['problem details', renderProblem, 401],
    ['Resend’s form', renderResendError, 403],
    ['Postmark’s form', renderPostmarkError, 401],
  ] as const)(
    'is counted for the alarm, whatever its status is in %s',
    async (_form, render, status) => {
      const output = captureOutput();
      const handler = httpEndpoint(async () => {
        throw invalidApiKey();
      }, render);

      const event = post('{}', { headers: { authorization: 'Bearer wrong' } });
      const { statusCode } = await handler(event, lambdaContext());

      expect(statusCode).toBe(status);
      expect(output.text()).toMatch(counted);
    },
  );

  it.each(errorCodes.filter((code) => statusOf(code) === 401))('is counted as %s', async (code) => {
    const output = captureOutput();

    await failWith(new ServiceError(code))(post('{}'), lambdaContext());

    expect(output.text()).toMatch(counted);
  });

  it('is the only refusal that is counted', async () => {
    const output = captureOutput();

    await failWith(new ServiceError('missing_scope'))(post('{}'), lambdaContext());

    expect(output.text()).not.toContain('KeyRefused');
  });
});

describe('every response', () => {
  it('carries the id of the request and is never cached', async () => {
    const response = await succeed(post('{}'), lambdaContext());

    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'X-Request-Id': 'request-1',
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json',
    });
  });

  it.each([
    ['a refusal', new ServiceError('missing_scope')],
    ['a crash', new TypeError('x')],
  ])('carries the id of the request also on %s', async (_what, error) => {
    captureOutput();

    const response = await failWith(error)(post('{}'), lambdaContext());

    expect(response.headers['X-Request-Id']).toBe('request-1');
    expect(problemIn(response).requestId).toBe('request-1');
  });

  it.each([true, false])(
    'of 5xx is counted if the sender’s own fault caused it, and only then: %s',
    async (isSendersFault) => {
      const output = captureOutput();
      const error = new ServiceError('provider_rejected', 'Refused.', { isSendersFault });

      await failWith(error)(post('{}'), lambdaContext());

      expect(output.text().includes('SendersFaultAnswered')).toBe(isSendersFault);
    },
  );

  it('carries the headers that were set before the request failed', async () => {
    captureOutput();
    const endpoint = httpEndpoint(async ({ responseHeaders }) => {
      responseHeaders['X-RateLimit-Limit'] = '60';
      throw new ServiceError('rate_limited', 'Wait.', { retryAfterSeconds: 3 });
    });

    const response = await endpoint(post('{}'), lambdaContext());

    expect(response.headers).toMatchObject({ 'X-RateLimit-Limit': '60', 'Retry-After': '3' });
  });

  it.each([
    ['a success', undefined],
    ['a refusal', new ServiceError('missing_scope')],
  ])('waits for pending work after %s', async (_what, error) => {
    captureOutput();
    const { promise, resolve } = Promise.withResolvers<void>();
    const endpoint = httpEndpoint(async ({ context }) => {
      context.pendingWork.push(promise);
      if (error !== undefined) throw error;
      return jsonResponse({});
    });
    let isAnswered = false;
    const answered = endpoint(post('{}'), lambdaContext()).then(() => {
      isAnswered = true;
    });
    await new Promise(setImmediate);

    const wasEarly = isAnswered;
    resolve();
    await answered;

    expect([wasEarly, isAnswered]).toEqual([false, true]);
  });

  it('carries no header of an earlier request', async () => {
    const endpoint = httpEndpoint(async ({ responseHeaders }, { body }) => {
      if (body === 'first') responseHeaders['Idempotency-Key'] = 'key-1';
      return jsonResponse({});
    });

    await endpoint(post('first'), lambdaContext());
    const response = await endpoint(post('second'), lambdaContext());

    expect(response.headers).not.toHaveProperty('Idempotency-Key');
  });
});

describe('the request', () => {
  it('has an empty set of path parameters when its path has none', async () => {
    const endpoint = httpEndpoint(async ({ pathParameters }) => jsonResponse(pathParameters));

    const response = await endpoint(buildHttpEvent(), lambdaContext());

    expect(JSON.parse(response.body)).toEqual({});
  });

  it('has its headers by lower-case name', async () => {
    const seen: HttpRequest[] = [];
    const endpoint = httpEndpoint(async (request) => {
      seen.push(request);
      return jsonResponse({});
    });

    await endpoint(buildHttpEvent({ headers: { 'X-Api-Key': 'key-1' } }), lambdaContext());

    expect(seen[0]?.headers['x-api-key']).toBe('key-1');
  });

  it.each([
    ['api.example.com', '198.51.100.1'],
    ['links.example.com', '203.0.113.7'],
  ])(
    'to %s comes from %s: at a link domain, the caller wrote what names a network',
    async (domainName, network) => {
      vi.stubEnv('LINK_DOMAINS', 'links.example.com');
      const endpoint = httpEndpoint(async ({ source }) => jsonResponse(sourceNetworkOf(source, 1)));
      const event = buildHttpEvent({
        rawPath: '/api/unsubscribe',
        headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' },
      });
      event.requestContext.domainName = domainName;

      const response = await endpoint(event, lambdaContext());

      expect(JSON.parse(response.body)).toBe(network);
    },
  );
});

describe('an unexpected error', () => {
  it('becomes an internal error that leaks nothing to the caller', async () => {
    captureOutput();
    const crash = failWith(new TypeError('ann@example.com is not in ORG#org_1'));

    const response = await crash(post('{}'), lambdaContext());

    expect(response.statusCode).toBe(500);
    expect(problemIn(response).code).toBe('internal_error');
    expect(JSON.stringify(response)).not.toMatch(/ann@example\.com|ORG#|TypeError|\.ts/);
  });

  it('is logged with the request id, its class and its origin, and without its message', async () => {
    const output = captureOutput();

    await failWith(new TypeError('ann@example.com'))(post('{}'), lambdaContext());

    const line = z.record(z.string(), z.unknown()).parse(JSON.parse(output.text()));
    expect(line).toMatchObject({
      level: 'ERROR',
      requestId: 'request-1',
      route: 'POST /api/v1/emails/send',
      code: 'internal_error',
      status: 500,
      causeName: 'TypeError',
    });
    expect(line['causeStack']).toContain('http-endpoint.test.ts');
    expect(output.text()).not.toContain('ann@example.com');
  });
});

describe('a stored item that can’t be read', () => {
  const stored = { name: 'Ann Smith', identity: { status: 'warming-up' } };
  const schema = mini.object({ identity: mini.object({ status: mini.enum(['active']) }) });
  const read = httpEndpoint(async () => jsonResponse(readItem('organization', schema, stored)));

  it('is named to the caller by item and field', async () => {
    captureOutput();

    const response = await read(post('{}'), lambdaContext());

    expect(problemIn(response)).toMatchObject({ status: 500, code: 'stored_item_unreadable' });
    expect(problemIn(response).detail).toContain('organization');
    expect(problemIn(response).detail).toContain('identity.status (invalid_value)');
    expect(response.body).not.toMatch(/warming-up|Ann/);
  });

  it('is in the log by item and field, and in the metric that rings, without its values', async () => {
    const output = captureOutput();

    await read(post('{}'), lambdaContext());

    expect(output.text()).toContain('"itemFields":["identity.status (invalid_value)"]');
    expect(output.text()).toContain('"item":"organization"');
    expect(output.text()).toContain('"SchemaMismatch":1');
    expect(output.text()).not.toMatch(/warming-up|Ann/);
  });
});

describe('a problem', () => {
  const render = (error: ServiceError) => renderProblem(error, { requestId: 'request-1' });

  it.each(errorCodes)('renders %s as problem details', (code) => {
    const response = render(new ServiceError(code, 'What to do next.'));

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

    expect(
      problemIn(render(new ServiceError('validation_failed', 'Not valid.', { errors }))).errors,
    ).toEqual(errors);
  });

  it('has no list of faults when there is none', () => {
    expect(problemIn(render(new ServiceError('internal_error')))).not.toHaveProperty('errors');
  });

  it('carries Retry-After when a retry may help, and only then', () => {
    const limited = render(new ServiceError('rate_limited', 'Wait.', { retryAfterSeconds: 7 }));
    const refused = render(new ServiceError('missing_scope'));

    expect(limited.headers['Retry-After']).toBe('7');
    expect(refused.headers).not.toHaveProperty('Retry-After');
  });

  it('asks for a Bearer key with 401, and only then', () => {
    expect(render(new ServiceError('invalid_api_key')).headers['WWW-Authenticate']).toBe('Bearer');
    expect(render(new ServiceError('missing_scope')).headers).not.toHaveProperty(
      'WWW-Authenticate',
    );
  });

  it('says nothing of the cause', () => {
    const cause = new Error('ann@example.com is in ORG#org_1');

    const { body } = render(new ServiceError('provider_rejected', 'Refused.', { cause }));

    expect(body).not.toContain('ann@example.com');
    expect(body).not.toContain('ORG#');
    expect(body).not.toContain('at ');
  });
});
