import { type OutgoingHttpHeaders, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { TooManyExecutions } from '../../../../infra/local/gateway/executions.ts';
import type { LambdaContext, LambdaHandler } from '../../../../infra/local/gateway/functions.ts';
import { type GatewayOptions, startGateway } from '../../../../infra/local/gateway/gateway.ts';
import type { FunctionRoute } from '../../../../infra/local/gateway/route-matching.ts';

const routes: readonly FunctionRoute[] = [
  { method: 'POST', path: '/echo', functionName: 'echo' },
  { method: 'GET', path: '/echo/{id}', functionName: 'echo' },
];

type Fault = { readonly functionName: string; readonly fault: unknown };

async function gatewayFor(handler: LambdaHandler, options: Partial<GatewayOptions> = {}) {
  const faults: Fault[] = [];
  const gateway = await startGateway({
    port: 0,
    routes,
    defaultFunction: 'fallback',
    loadHandler: async () => handler,
    receiveProviderEvent: async () => {},
    reportFault: (functionName, fault) => faults.push({ functionName, fault }),
    ...options,
  });
  onTestFinished(gateway.stop);
  return { url: gateway.url, faults };
}

/** A handler that answers with what it was given. */
const echo: LambdaHandler = (event) => ({ statusCode: 200, body: JSON.stringify(event) });

const json = { 'content-type': 'application/json' };

describe("the gateway's event", () => {
  it('has the shape of payload format 2.0', async () => {
    const { url } = await gatewayFor(echo);

    const response = await fetch(`${url}/echo/s%201?a=1&b=x%20y&a=2`, {
      headers: { 'X-Custom': 'v', cookie: 'one=1; two=2', 'user-agent': 'test' },
    });

    const event = z.record(z.string(), z.unknown()).parse(await response.json());
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'GET /echo/{id}',
      rawPath: '/echo/s 1',
      rawQueryString: 'a=1&b=x%20y&a=2',
      cookies: ['one=1', 'two=2'],
      headers: expect.objectContaining({ 'x-custom': 'v', host: new URL(url).host }),
      queryStringParameters: { a: '1,2', b: 'x y' },
      pathParameters: { id: 's 1' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: new URL(url).host,
        domainPrefix: 'local',
        http: {
          method: 'GET',
          path: '/echo/s 1',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'test',
        },
        requestId: response.headers.get('apigw-requestid'),
        routeKey: 'GET /echo/{id}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      isBase64Encoded: false,
    });
    expect(event['headers']).not.toHaveProperty('cookie');
  });

  it('joins the values of a repeated header with a comma', async () => {
    const { url } = await gatewayFor(echo);

    const body = await requestWith({ 'X-List': ['a', 'b'] }, `${url}/echo/1`);

    expect(JSON.parse(body).headers['x-list']).toBe('a,b');
  });

  it.each([
    ['application/json', false],
    ['application/json; charset=utf-8', false],
    ['text/plain', false],
    ['application/x-www-form-urlencoded', true],
    ['multipart/form-data; boundary=x', true],
    ['application/octet-stream', true],
  ])('carries a body of type %s in base64: %s', async (contentType, isBase64Encoded) => {
    const { url } = await gatewayFor(echo);

    const response = await fetch(`${url}/echo`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: 'größe=1',
    });

    const body = isBase64Encoded ? Buffer.from('größe=1').toString('base64') : 'größe=1';
    expect(await response.json()).toMatchObject({ body, isBase64Encoded });
  });
});

describe('the $default route', () => {
  it.each([
    ['an unknown path', 'GET', '/nothing'],
    ['another method on a known path', 'PUT', '/echo'],
    ['a trailing slash', 'POST', '/echo/'],
  ])('accepts %s', async (_, method, path) => {
    const called: string[] = [];
    const { url } = await gatewayFor(echo, {
      loadHandler: async (name) => {
        called.push(name);
        return echo;
      },
    });

    const response = await fetch(`${url}${path}?a=1`, { method });

    const event: unknown = await response.json();
    expect(called).toEqual(['fallback']);
    expect(event).toMatchObject({
      routeKey: '$default',
      rawPath: path,
      queryStringParameters: { a: '1' },
      requestContext: { routeKey: '$default', http: { method, path } },
    });
    expect(event).not.toHaveProperty('pathParameters');
  });

  it('accepts HEAD on a path with only GET, and its answer has no body', async () => {
    const { url } = await gatewayFor(() => ({ statusCode: 405, body: 'no' }));

    const response = await fetch(`${url}/echo/1`, { method: 'HEAD' });

    expect(response.status).toBe(405);
    expect(await response.text()).toBe('');
  });

  it("comes after the twin's own pages", async () => {
    const { url } = await gatewayFor(echo, {
      showLocalPage: async ({ path }) =>
        path === '/inbox' ? { status: 200, headers: {}, body: 'inbox' } : undefined,
    });

    const page = await fetch(`${url}/inbox`);
    const other = await fetch(`${url}/inbox`, { method: 'POST' });

    expect(await page.text()).toBe('inbox');
    expect(await other.json()).toMatchObject({ routeKey: '$default' });
  });
});

describe("the twin's own pages", () => {
  it.each([
    ['a page', 'GET', '/_local/timeline/x', 'showLocalPage'],
    ['a change', 'POST', '/_local/dns', 'changeLocally'],
  ] as const)(
    'return 500 with the reason when %s fails, and log it',
    async (_, method, path, part) => {
      const error = new Error('no <b>such</b> field');
      const { url, faults } = await gatewayFor(echo, { [part]: () => Promise.reject(error) });

      const response = await fetch(`${url}${path}`, { method });

      expect(response.status).toBe(500);
      expect(response.headers.get('content-type')).toBe('text/plain;charset=UTF-8');
      expect(await response.text()).toContain(`${method} ${path} failed: no <b>such</b> field`);
      expect(faults).toEqual([{ functionName: `${method} ${path}`, fault: error }]);
    },
  );
});

describe('the Lambda context', () => {
  it("counts down from the function's timeout", async () => {
    let context: LambdaContext | undefined;
    const { url } = await gatewayFor(
      (_, given) => {
        context = given;
        return {};
      },
      { timeoutMsOf: () => 900_000 },
    );

    await fetch(`${url}/echo/1`);

    const remaining = context?.getRemainingTimeInMillis() ?? 0;
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(900_000);
    expect(context).toMatchObject({ functionName: 'echo', awsRequestId: expect.any(String) });
  });
});

describe("the gateway's response", () => {
  it('carries status, headers, cookies and body of the function, and the request id', async () => {
    const { url } = await gatewayFor(() => ({
      statusCode: 201,
      headers: { 'Content-Type': 'text/html', 'X-Count': 3 },
      cookies: ['a=1', 'b=2'],
      body: '<p>é</p>',
    }));

    const response = await fetch(`${url}/echo/1`);

    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('x-count')).toBe('3');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('apigw-requestid')).toMatch(/^[\w-]{15}=$/);
    expect(await response.text()).toBe('<p>é</p>');
  });

  it('decodes a base64 body', async () => {
    const { url } = await gatewayFor(() => ({
      statusCode: 200,
      headers: { 'content-type': 'image/gif' },
      body: Buffer.from([1, 2, 255]).toString('base64'),
      isBase64Encoded: true,
    }));

    const response = await fetch(`${url}/echo/1`);

    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2, 255]);
  });

  it.each([
    ['an object', { message: 'hi' }, '{"message":"hi"}'],
    ['a text', 'hi', 'hi'],
    ['nothing', undefined, 'null'],
  ])('uses %s without a statusCode as the body of a 200', async (_, result, body) => {
    const { url } = await gatewayFor(() => result);

    const response = await fetch(`${url}/echo/1`);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(body);
  });
});

describe("the gateway's own answers", () => {
  it('return 400 for a broken percent-encoding', async () => {
    const { url } = await gatewayFor(echo);

    const response = await fetch(`${url}/echo/%zz`);

    expect(response.status).toBe(400);
    expect(response.headers.get('apigw-requestid')).toBeTruthy();
    expect(await response.json()).toEqual({ message: 'Bad Request' });
  });

  it('return 413 for a body over 10 MB, and one that makes the event larger than Lambda accepts', async () => {
    const { url } = await gatewayFor(() => ({ statusCode: 204 }));
    const post = (body: string) => fetch(`${url}/echo`, { method: 'POST', headers: json, body });

    const overHttpApi = await post('x'.repeat(10 * 1024 * 1024 + 1));
    const overLambda = await post('x'.repeat(6_291_456));
    const escaped = await post('"'.repeat(3_200_000));
    const fitting = await post('x'.repeat(6_200_000));

    expect(overHttpApi.status).toBe(413);
    expect(await overHttpApi.json()).toEqual({ message: 'Request Entity Too Large' });
    expect(overLambda.status).toBe(413);
    expect(escaped.status).toBe(413);
    expect(fitting.status).toBe(204);
  });

  it('return 431 for headers over 10 KB', async () => {
    const { url } = await gatewayFor(echo);

    const response = await fetch(`${url}/echo/1`, { headers: { 'x-long': 'x'.repeat(11_000) } });

    expect(response.status).toBe(431);
  });

  it.each<[string, LambdaHandler]>([
    [
      'throws',
      () => {
        throw new Error('secret detail');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret detail'))],
    ['returns a status that is none', () => ({ statusCode: 'ok' })],
    ['returns a body that is no text', () => ({ statusCode: 200, body: { a: 1 } })],
    ['returns more than 6 MB', () => ({ statusCode: 200, body: 'x'.repeat(6_291_556) })],
    ['returns what is not JSON', () => ({ statusCode: 200, body: 1n })],
  ])('return 500 when the function %s, and report it', async (_, handler) => {
    const { url, faults } = await gatewayFor(handler);

    const response = await fetch(`${url}/echo/1`);

    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"message":"Internal Server Error"}');
    expect(faults).toMatchObject([{ functionName: 'echo' }]);
  });

  it('return 500 when the function times out', async () => {
    const { url } = await gatewayFor(() => new Promise(() => {}), { timeoutMsOf: () => 30 });

    const response = await fetch(`${url}/echo/1`);

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal Server Error' });
  });

  it("return 503 when the function's timeout is longer than HTTP API waits", async () => {
    const { url } = await gatewayFor(() => new Promise(() => {}), {
      timeoutMsOf: () => 60_000,
      integrationTimeoutMs: 30,
    });

    const response = await fetch(`${url}/echo/1`);

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ message: 'Service Unavailable' });
  });
});

describe("the gateway's limits", () => {
  it('refuse a request as HTTP API does when its route is throttled, by route key', async () => {
    const asked: string[] = [];
    const { url } = await gatewayFor(echo, {
      mayPass: (routeKey) => {
        asked.push(routeKey);
        return false;
      },
    });

    const response = await fetch(`${url}/echo/1`);
    await fetch(`${url}/nothing`);

    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ message: 'Too Many Requests' });
    expect(asked).toEqual(['GET /echo/{id}', '$default']);
  });

  it("don’t apply to the twin's own pages", async () => {
    const { url } = await gatewayFor(echo, {
      mayPass: () => false,
      showLocalPage: async () => ({ status: 200, headers: {}, body: 'inbox' }),
    });

    expect((await fetch(`${url}/inbox`)).status).toBe(200);
  });

  it('return 503 when Lambda throttles the function', async () => {
    const { url } = await gatewayFor(() => {
      throw new TooManyExecutions('echo');
    });

    const response = await fetch(`${url}/echo/1`);

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ message: 'Service Unavailable' });
  });
});

describe('POST /_local/provider-events', () => {
  const post = (url: string, body: string) =>
    fetch(`${url}/_local/provider-events`, { method: 'POST', body });

  it('returns 202 once the intake has the event', async () => {
    const events: unknown[] = [];
    const { url } = await gatewayFor(echo, {
      receiveProviderEvent: async (event) => {
        events.push(event);
      },
    });

    const response = await post(url, '{"eventType":"Open"}');

    expect(response.status).toBe(202);
    expect(events).toEqual([{ eventType: 'Open' }]);
  });

  it("returns 500 with the intake's message when it threw", async () => {
    const { url } = await gatewayFor(echo, {
      receiveProviderEvent: () => Promise.reject(new Error('table is gone')),
    });

    const response = await post(url, '{}');

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'table is gone' });
  });

  it('returns 400 for anything but JSON', async () => {
    const { url } = await gatewayFor(echo);

    const response = await post(url, '{');

    expect(response.status).toBe(400);
  });
});

it('the gateway serves many requests at once over connections that stay open', async () => {
  const { url } = await gatewayFor(echo);

  const bodies = Array.from({ length: 200 }, (_, index) => String(index));
  const answers = await Promise.all(
    bodies.map(async (body) => {
      const response = await fetch(`${url}/echo`, { method: 'POST', headers: json, body });
      return z.object({ body: z.string() }).parse(await response.json()).body;
    }),
  );

  expect(answers).toEqual(bodies);
});

/** For headers on several lines, which `fetch` would merge. */
const requestWith = (headers: OutgoingHttpHeaders, url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve(body));
    })
      .on('error', reject)
      .end();
  });

describe('another site', () => {
  it('reaches neither the intake nor a page of the twin', async () => {
    const received: unknown[] = [];
    const { url } = await gatewayFor(echo, {
      receiveProviderEvent: async (event) => void received.push(event),
      showLocalPage: async () => ({ status: 200, headers: {}, body: 'the keys' }),
    });

    const posted = await fetch(`${url}/_local/provider-events`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'text/plain' },
      body: '{}',
    });
    const page = await requestWith({ Host: 'evil.example' }, `${url}/`);

    expect(posted.status).toBe(403);
    expect(received).toEqual([]);
    expect(page).not.toContain('the keys');
  });
});
