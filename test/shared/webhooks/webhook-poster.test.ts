import dns, { type LookupAddress } from 'node:dns';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createWebhookPoster } from '#shared/webhooks/webhook-poster';
import { listen } from '../../../infra/local/local-server.ts';
import { webhookNow } from './webhook-builder.ts';

const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1750000000',
  'webhook-signature': 'v1,abc',
} as const;
const body = JSON.stringify({ subject: 'Zürich' });

type Received = { readonly request: IncomingMessage; readonly body: string };
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A receiver on this machine, and what it has received. */
async function startReceiver(answer: Answer) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ request, body: Buffer.concat(chunks).toString() });
    answer(response, request);
  });
  const { url, stop } = await listen(server, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    return stop();
  });
  return { url: `${url}/hooks`, received };
}

const postTo = (url: string, { timeoutMs = 2_000, allowLoopbackHttp = true } = {}) =>
  createWebhookPoster({ allowLoopbackHttp }, timeoutMs)({ url, body, headers });

const answerWith =
  (status: number, text = '', extra: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, extra).end(text);

/** Resolves names in its own way, for everybody who does with `dns.lookup`. */
function replaceLookup(lookup: (name: string, options: unknown, done: LookupDone) => void): void {
  const { lookup: original } = dns;
  const replace = (replacement: unknown) => {
    Object.assign(dns, { lookup: replacement });
    syncBuiltinESMExports();
  };
  replace(lookup);
  onTestFinished(() => replace(original));
}
type LookupDone = (error: Error | null, addresses?: readonly LookupAddress[]) => void;

const resolveTo = (...addresses: readonly string[]) =>
  replaceLookup((_name, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    ),
  );

describe('a webhook post', () => {
  it('brings the body byte for byte, signed', async () => {
    const { url, received } = await startReceiver(answerWith(204));

    await postTo(url);

    const [{ request, body: text } = {}] = received;
    expect(text).toBe(body);
    expect(request?.method).toBe('POST');
    expect(request?.url).toBe('/hooks');
    expect(request?.headers).toMatchObject({
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    });
  });

  it.each([200, 204, 400, 404, 410, 500])('reports an answer %d', async (status) => {
    const { url } = await startReceiver(answerWith(status, status === 204 ? '' : 'text'));

    expect(await postTo(url)).toEqual({
      kind: 'answered',
      statusCode: status,
      answer: status === 204 ? '' : 'text',
      retryAfterMs: undefined,
    });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %d', async (status) => {
    const target = await startReceiver(answerWith(200));
    const { url } = await startReceiver(answerWith(status, '', { location: target.url }));

    expect(await postTo(url)).toMatchObject({ kind: 'answered', statusCode: status });
    expect(target.received).toEqual([]);
  });

  it('keeps the first kilobyte of the answer, and does not wait for the rest', async () => {
    const { url } = await startReceiver((response) => {
      response.writeHead(200).write('x'.repeat(5_000));
    });

    expect(await postTo(url)).toMatchObject({ statusCode: 200, answer: 'x'.repeat(1_024) });
  });

  it.each([
    { header: '120', expected: 120_000 },
    { header: '0', expected: undefined },
    { header: '-5', expected: undefined },
    { header: 'soon', expected: undefined },
    { header: new Date(webhookNow + 90_000).toUTCString(), expected: 90_000 },
    { header: new Date(webhookNow - 90_000).toUTCString(), expected: undefined },
  ])('reads Retry-After: $header as $expected ms', async ({ header, expected }) => {
    vi.useFakeTimers({ now: webhookNow, toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { url } = await startReceiver(answerWith(503, '', { 'retry-after': header }));

    expect(await postTo(url)).toMatchObject({ retryAfterMs: expected });
  });
});

describe('a webhook post without an answer', () => {
  it('is given up after its time when the receiver hangs', async () => {
    const { url } = await startReceiver(() => {});

    expect(await postTo(url, { timeoutMs: 100 })).toEqual({ kind: 'unanswered', error: 'timeout' });
  });

  it('is given up after its time when the answer trickles', async () => {
    const { url } = await startReceiver((response) => {
      response.writeHead(200);
      const trickle = setInterval(() => response.write('.'), 10);
      onTestFinished(() => clearInterval(trickle));
    });

    expect(await postTo(url, { timeoutMs: 200 })).toEqual({ kind: 'unanswered', error: 'timeout' });
  });

  it.each([
    ['before', (response: ServerResponse) => response.destroy()],
    [
      'amid',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '100' }).write('half');
        setTimeout(() => response.destroy(), 20);
      },
    ],
  ])('says so when the connection breaks %s the answer', async (_when, answer) => {
    const { url } = await startReceiver(answer);

    expect(await postTo(url)).toEqual({ kind: 'unanswered', error: 'econnreset' });
  });

  it('says so when nobody listens', async () => {
    const server = await listen(createServer(), 0);
    await server.stop();

    expect(await postTo(server.url)).toEqual({ kind: 'unanswered', error: 'econnrefused' });
  });

  it('says so when the name does not resolve', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    replaceLookup((_name, _options, done) => done(cause));

    expect(await postTo('https://nowhere.example.com/')).toEqual({
      kind: 'unanswered',
      error: 'name_not_resolved',
    });
  });
});

describe('a webhook post to an address that is not public', () => {
  const blocked = { kind: 'unanswered', error: 'blocked_address' };

  it.each([
    'https://127.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:127.0.0.1]/',
    'http://example.com/',
    'no url',
  ])('is not made: %s', async (url) => {
    expect(await postTo(url)).toEqual(blocked);
  });

  it('is not made to this machine by a deployed service', async () => {
    const { url, received } = await startReceiver(answerWith(200));

    expect(await postTo(url, { allowLoopbackHttp: false })).toEqual(blocked);
    expect(received).toEqual([]);
  });

  it.each([
    [['127.0.0.1']],
    [['10.0.0.1']],
    [['100.64.0.1']],
    [['169.254.169.254']],
    [['0.0.0.0']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::a9fe:a9fe']],
    [['fd00:ec2::254']],
    [['8.8.8.8', '127.0.0.1']],
  ])('is not made when a public name resolves to %j', async (addresses) => {
    resolveTo(...addresses);

    expect(await postTo('https://rebound.example.com/', { timeoutMs: 500 })).toEqual(blocked);
  });
});
