import { describe, expect, it, vi } from 'vitest';
import type { Endpoint, PageRequest } from '#shared/endpoints/endpoint';
import { servePage } from '#shared/endpoints/serve-page';
import { ServiceError } from '#shared/errors/service-error';
import { jsonResponse } from '#shared/http/http-response';
import { endpoint } from '../../../functions/show-unsubscribe/show-unsubscribe.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { problemIn } from '../../support/problem.ts';

const page = { ...endpoint, lambda: { tableActions: [] }, uses: {} } as const;
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const program = { accept: 'application/json' };

const failWith = (error: Error, own: Pick<Endpoint, 'renderError'> = {}) =>
  servePage({
    ...page,
    ...own,
    run: async () => {
      throw error;
    },
  });

const ask = (endpoint: ReturnType<typeof servePage>, headers: Record<string, string>) => {
  captureOutput();
  return endpoint(buildHttpEvent({ headers }), lambdaContext());
};

vi.stubEnv('TABLE_NAME', 'none');

describe('servePage', () => {
  it('hands over the fields of the form', async () => {
    const endpoint = servePage({
      ...page,
      run: async ({ readFields }: PageRequest<Endpoint>) =>
        jsonResponse(Object.fromEntries(await readFields())),
    });
    const event = buildHttpEvent({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });

    const response = await endpoint(event, lambdaContext());

    expect(JSON.parse(response.body)).toEqual({ 'List-Unsubscribe': 'One-Click' });
    expect(response.headers['X-Request-Id']).toBe('request-1');
  });

  it.each([
    ['a browser', browser, true],
    ['a program', program, false],
    ['a mail client that says nothing', {}, false],
  ])('knows whether %s wants a page: %3$s', async (_who, headers, expected) => {
    const endpoint = servePage({
      ...page,
      run: async ({ wantsPage }: PageRequest<Endpoint>) => jsonResponse({ wantsPage }),
    });

    const { body } = await ask(endpoint, headers);

    expect(JSON.parse(body)).toEqual({ wantsPage: expected });
  });

  it.each([
    [404, new ServiceError('contact_not_found', 'No.')],
    [404, new ServiceError('validation_failed', 'No.')],
    [409, new ServiceError('concurrent_change', 'No.')],
    [413, new ServiceError('too_large', 'No.')],
    [500, new TypeError('ann@example.com')],
  ])('answers a browser with a page of status %i', async (status, error) => {
    const response = await ask(failWith(error), browser);

    expect(response.statusCode).toBe(status);
    expect(response.headers['Content-Type']).toContain('text/html');
    expect(response.headers['X-Request-Id']).toBe('request-1');
    expect(response.body).not.toContain('ann@example.com');
  });

  it('tells a browser that asks too often when to come back', async () => {
    const error = new ServiceError('rate_limited', 'No.', { retryAfterSeconds: 60 });

    const response = await ask(failWith(error), browser);

    expect(response.statusCode).toBe(429);
    expect(response.headers['Content-Type']).toContain('text/html');
    expect(response.headers['Retry-After']).toBe('60');
  });

  it('answers a program with problem details', async () => {
    const error = new ServiceError('validation_failed', 'No.');

    const response = await ask(failWith(error), program);

    expect(response.statusCode).toBe(400);
    expect(problemIn(response).code).toBe('validation_failed');
  });
});

describe('servePage with errors of its own', () => {
  it('renders them with the given function', async () => {
    const endpoint = failWith(new ServiceError('validation_failed'), {
      renderError: ({ code }, { requestId }) => ({
        statusCode: 418,
        headers: {},
        body: `${code} ${requestId}`,
      }),
    });

    const { statusCode, body } = await ask(endpoint, browser);

    expect([statusCode, body]).toEqual([418, 'validation_failed request-1']);
  });
});
