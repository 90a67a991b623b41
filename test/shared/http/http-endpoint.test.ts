import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { ServiceError } from '#shared/errors/service-error';
import { bodilessEndpoint, type HttpRequest, jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { readItem } from '#shared/table/read-item';
import { captureOutput } from '../../support/captured-output.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { problemIn } from '../../support/problem.ts';

const echo = jsonEndpoint(async ({ readBody }) => jsonResponse({ body: readBody() }));

const failWith = (error: unknown) =>
  jsonEndpoint(async () => {
    throw error;
  });

const post = (body: string, overrides: Parameters<typeof buildHttpEvent>[0] = {}) =>
  buildHttpEvent({ body, ...overrides });

describe('every response', () => {
  it('carries the id of the request and is never cached', async () => {
    const response = await echo(post('{}'), lambdaContext());

    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'X-Request-Id': 'request-1',
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json',
    });
  });

  it.each([
    ['malformed JSON', () => echo(post('{'), lambdaContext())],
    [
      'a refusal',
      () => failWith(new ServiceError('missing_scope', 'No.'))(post('{}'), lambdaContext()),
    ],
    ['a crash', () => failWith(new TypeError('x'))(post('{}'), lambdaContext())],
  ])('carries the id of the request also on %s', async (_what, run) => {
    captureOutput();

    const response = await run();

    expect(response.headers['X-Request-Id']).toBe('request-1');
    expect(problemIn(response).requestId).toBe('request-1');
  });

  it('carries the headers that were set before the request failed', async () => {
    captureOutput();
    const endpoint = jsonEndpoint(async ({ responseHeaders }) => {
      responseHeaders['X-RateLimit-Limit'] = '60';
      throw new ServiceError('rate_limited', 'Wait.', { retryAfterSeconds: 3 });
    });

    const response = await endpoint(post('{}'), lambdaContext());

    expect(response.headers).toMatchObject({ 'X-RateLimit-Limit': '60', 'Retry-After': '3' });
  });

  it('carries no header of an earlier request', async () => {
    const endpoint = jsonEndpoint(async ({ readBody, responseHeaders }) => {
      if (readBody() !== null) responseHeaders['Idempotency-Key'] = 'key-1';
      return jsonResponse({});
    });

    await endpoint(post('{}'), lambdaContext());
    const response = await endpoint(post('null'), lambdaContext());

    expect(response.headers).not.toHaveProperty('Idempotency-Key');
  });
});

describe('jsonEndpoint', () => {
  it('reads no body for an endpoint that does not ask for it', async () => {
    const endpoint = jsonEndpoint(async ({ hasBody }) => jsonResponse({ hasBody }));
    const malformed = post('{', { headers: {} });

    const answers = [
      await endpoint(malformed, lambdaContext()),
      await endpoint(buildHttpEvent(), lambdaContext()),
    ];

    expect(answers.map(({ statusCode, body }) => [statusCode, JSON.parse(body)])).toEqual([
      [200, { hasBody: true }],
      [200, { hasBody: false }],
    ]);
  });

  it('hands over the parsed body', async () => {
    const response = await echo(post('{"to":"ann@example.com"}'), lambdaContext());

    expect(JSON.parse(response.body)).toEqual({ body: { to: 'ann@example.com' } });
  });

  it('decodes a body that the front door encoded in base64', async () => {
    const body = Buffer.from('{"to":"änn"}').toString('base64');

    const response = await echo(post(body, { isBase64Encoded: true }), lambdaContext());

    expect(JSON.parse(response.body)).toEqual({ body: { to: 'änn' } });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    'takes the content type %s',
    async (contentType) => {
      const event = post('{}', { headers: { 'content-type': contentType } });

      expect((await echo(event, lambdaContext())).statusCode).toBe(200);
    },
  );

  it.each([
    ['text/plain', 'text/plain'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
    ['application/jsonp', 'application/jsonp'],
    ['none', undefined],
  ])('refuses the content type %s', async (_what, contentType) => {
    captureOutput();
    const event = post('{}', { headers: { 'content-type': contentType } });

    const response = await echo(event, lambdaContext());

    expect(response.statusCode).toBe(400);
    expect(problemIn(response).code).toBe('unsupported_content_type');
  });

  it.each([
    ['a truncated object', '{"to":'],
    ['single quotes', "{'to':1}"],
    ['an empty body', ''],
    ['a prototype', '{"__proto__":{"admin":true}}'],
    ['a prototype within', '{"a":[{"constructor":{"prototype":{"admin":true}}}]}'],
  ])('refuses %s as malformed JSON', async (_what, body) => {
    captureOutput();

    const response = await echo(post(body), lambdaContext());

    expect(response.statusCode).toBe(400);
    expect(problemIn(response).code).toBe('malformed_json');
  });

  it('refuses a request without a body', async () => {
    captureOutput();

    const response = await echo(buildHttpEvent(), lambdaContext());

    expect(problemIn(response).code).toBe('malformed_json');
  });

  it('quotes nothing of a malformed body, neither in the answer nor in the log', async () => {
    const output = captureOutput();

    const response = await echo(post('{"to":"ann@example.com",}'), lambdaContext());

    expect(response.body).not.toContain('ann@example.com');
    expect(output.text()).toContain('malformed_json');
    expect(output.text()).not.toContain('ann@example.com');
  });
});

describe('bodilessEndpoint', () => {
  it('runs without a body or a content type', async () => {
    const endpoint = bodilessEndpoint(async ({ pathParameters }) => jsonResponse(pathParameters));
    const event = buildHttpEvent({ headers: {}, pathParameters: { id: 'snd_1' } });

    const response = await endpoint(event, lambdaContext());

    expect(JSON.parse(response.body)).toEqual({ id: 'snd_1' });
  });

  it('has an empty set of path parameters when the path has none', async () => {
    const endpoint = bodilessEndpoint(async ({ pathParameters }) => jsonResponse(pathParameters));

    const response = await endpoint(buildHttpEvent(), lambdaContext());

    expect(JSON.parse(response.body)).toEqual({});
  });
});

describe('the request', () => {
  it('has its headers by lower-case name', async () => {
    const seen: HttpRequest[] = [];
    const endpoint = bodilessEndpoint(async (request) => {
      seen.push(request);
      return jsonResponse({});
    });

    await endpoint(buildHttpEvent({ headers: { 'X-Api-Key': 'key-1' } }), lambdaContext());

    expect(seen[0]?.headers['x-api-key']).toBe('key-1');
  });
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
  const read = jsonEndpoint(async () => jsonResponse(readItem('organization', schema, stored)));

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
    expect(output.text()).toContain('"StoredItemUnreadable":1');
    expect(output.text()).not.toMatch(/warming-up|Ann/);
  });
});
