import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createWebhookPoster } from '#shared/webhook-deliveries/webhook-poster';
import { listen } from '../../../infra/local/server.ts';
import { startRawServer, switchingProtocols } from '../../support/raw-server.ts';
import { webhookNow } from '../webhooks/webhook-builder.ts';

const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1750000000',
  'webhook-signature': 'v1,abc',
} as const;
const body = JSON.stringify({ subject: 'Zürich' });

type Received = { readonly request: IncomingMessage; readonly body: string };
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A receiver on this machine, and the requests that it received. */
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

type Options = {
  readonly timeoutMs?: number;
  readonly allowLoopbackHttp?: boolean;
  readonly resolve?: LookupFunction;
};

const posterWith = ({ timeoutMs = 60_000, allowLoopbackHttp = true, resolve }: Options) =>
  createWebhookPoster({ allowLoopbackHttp }, timeoutMs, resolve);

const postTo = (url: string, options: Options = {}) => posterWith(options)({ url, body, headers });

const answerWith =
  (status: number, text = '', extra: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, extra).end(text);

/** A resolver that gives these answers in turn, then repeats the last one. */
function resolveInTurn(...answers: readonly (readonly string[])[]) {
  let questions = 0;
  const resolve: LookupFunction = (_name, _options, done) => {
    const answer = answers[Math.min(questions, answers.length - 1)] ?? [];
    questions += 1;
    done(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, questions: () => questions };
}

describe('a webhook post', () => {
  it('delivers the body byte for byte, signed', async () => {
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

  it.each([200, 204, 400, 404, 410, 500])('reports a %d', async (status) => {
    const { url } = await startReceiver(answerWith(status, status === 204 ? '' : 'text'));

    expect(await postTo(url)).toEqual({
      kind: 'answered',
      statusCode: status,
      answer: status === 204 ? '' : 'text',
      retryAfterMs: undefined,
    });
  });

  it.each([301, 302, 303, 307, 308])("doesn't follow a %d", async (status) => {
    const target = await startReceiver(answerWith(200));
    const { url } = await startReceiver(answerWith(status, '', { location: target.url }));

    expect(await postTo(url)).toMatchObject({ kind: 'answered', statusCode: status });
    expect(target.received).toEqual([]);
  });

  it('reports a switch of protocols like any other answer', async () => {
    const url = await startRawServer(switchingProtocols);

    expect(await postTo(url)).toMatchObject({ kind: 'answered', statusCode: 101, answer: '' });
  });

  it('keeps an answer that ends with its connection', async () => {
    const text = 'x'.repeat(1_000);
    const url = await startRawServer(`HTTP/1.1 200 OK\r\n\r\n${text}`, (socket) => socket.end());

    expect(await postTo(url)).toMatchObject({ statusCode: 200, answer: text });
  });

  it("keeps the first kilobyte of the answer, and doesn't wait for the rest", async () => {
    const { url } = await startReceiver((response) => {
      response.writeHead(200).write('x'.repeat(5_000));
    });

    expect(await postTo(url)).toMatchObject({ statusCode: 200, answer: 'x'.repeat(1_024) });
  });

  it('keeps no partial character at the end of the first kilobyte', async () => {
    const { url } = await startReceiver(answerWith(500, `${'x'.repeat(1_023)}é`));

    expect(await postTo(url)).toMatchObject({ answer: 'x'.repeat(1_023) });
  });

  it('closes the connection of an answer longer than a kilobyte', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await startReceiver((response) => {
      response.on('close', closed.resolve);
      response.writeHead(200).write('x'.repeat(1_024));
    });

    await postTo(url);

    await closed.promise;
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

describe('a webhook post with an endless answer', () => {
  // Time for the headers to arrive on the busiest machine.
  const timeoutMs = 4_000;
  const headersOnly =
    (status: number): Answer =>
    (response) =>
      response.writeHead(status, { 'retry-after': '120' }).flushHeaders();
  const trickle: Answer = (response) => {
    response.writeHead(200).write('half');
    const drops = setInterval(() => response.write('.'), 10);
    onTestFinished(() => clearInterval(drops));
  };
  const breakOff: Answer = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => response.destroy(), 20);
  };

  it('succeeds by its headers', async () => {
    const answers = [headersOnly(202), headersOnly(410), headersOnly(503), trickle, breakOff];
    const receivers = await Promise.all(answers.map(startReceiver));

    const outcomes = await Promise.all(receivers.map(({ url }) => postTo(url, { timeoutMs })));

    const byHeaders = { kind: 'answered', answer: '', retryAfterMs: 120_000 };
    expect(outcomes).toMatchObject([
      { ...byHeaders, statusCode: 202 },
      { ...byHeaders, statusCode: 410 },
      { ...byHeaders, statusCode: 503 },
      { statusCode: 200, answer: expect.stringMatching(/^half\.+$/) },
      { statusCode: 200, answer: 'half' },
    ]);
  });
});

describe('a webhook post without an answer', () => {
  it('times out when the receiver hangs', async () => {
    const { url } = await startReceiver(() => {});

    expect(await postTo(url, { timeoutMs: 100 })).toEqual({ kind: 'unanswered', error: 'timeout' });
  });

  it('times out when the receiver announces an answer without end', async () => {
    const url = await startRawServer('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100));

    expect(await postTo(url, { timeoutMs: 100 })).toEqual({ kind: 'unanswered', error: 'timeout' });
  });

  it('reports a connection that breaks before the answer', async () => {
    const { url } = await startReceiver((response) => response.destroy());

    expect(await postTo(url)).toEqual({ kind: 'unanswered', error: 'econnreset' });
  });

  it('reports that no server listens', async () => {
    const server = await listen(createServer(), 0);
    await server.stop();

    expect(await postTo(server.url)).toEqual({ kind: 'unanswered', error: 'econnrefused' });
  });

  it("reports a name that doesn't resolve", async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const resolve: LookupFunction = (_name, _options, done) => done(cause, '');

    expect(await postTo('https://nowhere.example.com/', { resolve })).toEqual({
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
    'https://metadata.google.internal/',
    'http://example.com/',
    'ftp://example.com/',
    'https://user:password@example.com/',
    'https://example.com:25/',
    'no url',
  ])("isn't made, and resolves no name: %s", async (url) => {
    const { resolve, questions } = resolveInTurn(['8.8.8.8']);

    expect(await postTo(url, { resolve })).toEqual(blocked);
    expect(questions()).toBe(0);
  });

  it("isn't made to this machine by a deployed service", async () => {
    const { url, received } = await startReceiver(answerWith(200));

    expect(await postTo(url, { allowLoopbackHttp: false })).toEqual(blocked);
    expect(received).toEqual([]);
  });

  it("isn't made when a public name resolves to one, even among public addresses", async () => {
    const { resolve } = resolveInTurn(['8.8.8.8', '127.0.0.1']);

    expect(await postTo('https://rebound.example.com/', { resolve })).toEqual(blocked);
  });

  it("isn't made after the name changed from this machine to another", async () => {
    const { url, received } = await startReceiver(answerWith(200, '', { connection: 'close' }));
    const name = url.replace('127.0.0.1', 'localhost');
    const { resolve, questions } = resolveInTurn(['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']);
    const post = posterWith({ resolve });

    const outcomes: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      outcomes.push(await post({ url: name, body, headers }));
    }

    expect(outcomes).toMatchObject([{ statusCode: 200 }, blocked, { statusCode: 200 }]);
    expect(received).toHaveLength(2);
    // Each connection resolves the name once, so it can't use an unchecked answer.
    expect(questions()).toBe(3);
  });

  it("isn't made when the name has another address at the second lookup", async () => {
    const { url, received } = await startReceiver(answerWith(200));
    const { resolve, questions } = resolveInTurn(['2606:4700::1111'], ['127.0.0.1']);
    const name = url.replace('http://127.0.0.1', 'https://rebound.example.com');
    const post = posterWith({ resolve, timeoutMs: 100 });

    const first = await post({ url: name, body, headers });
    const asked = questions();
    const second = await post({ url: name, body, headers });

    // The connection is refused or times out. Either way only the first answer was used.
    expect(first).toMatchObject({
      kind: 'unanswered',
      error: expect.not.stringContaining('blocked'),
    });
    expect(asked).toBe(1);
    expect(second).toEqual(blocked);
    expect(received).toEqual([]);
  });
});
