import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFileFetcher } from '#shared/attachments/file-fetcher';
import { startRawServer, switchingProtocols } from '../../support/raw-server.ts';
import { serveUntilEnd } from '../../support/server-until-end.ts';
import { privateHosts } from '../outbound/private-hosts.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server of files on this machine, and the requests that it got. */
async function startFiles(answer: Answer) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(response, request);
  });
  const { url } = await serveUntilEnd(server);
  return { url, requests };
}

type Options = {
  readonly budget?: number;
  readonly timeoutMs?: number;
  readonly allowLoopbackHttp?: boolean;
  readonly resolve?: LookupFunction;
};

async function fetchFrom(
  url: string,
  { budget = 1_000, timeoutMs = 60_000, allowLoopbackHttp = true, resolve }: Options = {},
) {
  let left = budget;
  const takeBytes = (bytes: number) => {
    left -= bytes;
    return left >= 0;
  };
  const fetchFile = createFileFetcher({ allowLoopbackHttp }, resolve);
  return fetchFile(url, takeBytes, AbortSignal.timeout(timeoutMs));
}

const answerWith =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);

const failed = (reason: string) => ({ kind: 'failed', reason });
const tooLate = failed('did not come in time');

describe('a file behind a URL', () => {
  it('comes byte for byte, with the type and name that its server states', async () => {
    const bytes = Buffer.from([0, 13, 10, 255]);
    const { url, requests } = await startFiles(
      answerWith(200, bytes, {
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="logo.png"',
      }),
    );

    const outcome = await fetchFrom(`${url}/files/17?signature=abc`);

    const file = { bytes, contentType: 'image/png', filename: 'logo.png' };
    expect(outcome).toEqual({ kind: 'fetched', file });
    expect(requests[0]).toMatchObject({ method: 'GET', url: '/files/17?signature=abc' });
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([200, 1_000])('comes in chunks too, %d bytes long', async (length) => {
    const { url } = await startFiles((response) => {
      for (let sent = 0; sent < length; sent += 100) response.write('x'.repeat(100));
      response.end();
    });

    expect(await fetchFrom(url)).toMatchObject({
      kind: 'fetched',
      file: { bytes: Buffer.alloc(length, 'x') },
    });
  });

  it.each([301, 302, 303, 307, 308])('is found after a %d', async (status) => {
    const { url } = await startFiles((response, { url: path }) =>
      path === '/final/a.pdf'
        ? response.end('PDF')
        : response.writeHead(status, { location: '/final/a.pdf' }).end('elsewhere'),
    );

    expect(await fetchFrom(`${url}/first`)).toMatchObject({
      kind: 'fetched',
      file: { bytes: Buffer.from('PDF'), filename: 'a.pdf' },
    });
  });

  it.each([204, 206, 304, 400, 403, 404, 500, 503])('is not taken from a %d', async (status) => {
    const { url } = await startFiles(answerWith(status));

    expect(await fetchFrom(url)).toEqual(failed(`answered ${status}`));
  });

  it('is asked for unpacked, and not taken packed', async () => {
    const packed = gzipSync(Buffer.alloc(1_000_000));
    const { url, requests } = await startFiles(
      answerWith(200, packed, { 'content-encoding': 'gzip' }),
    );

    const outcome = await fetchFrom(url, { budget: 10_000_000 });

    expect(outcome).toEqual(failed('answered in a content encoding not asked for'));
    expect(requests[0]?.headers['accept-encoding']).toBe('identity');
  });
});

describe('a file that is too large', () => {
  it('is refused by the length that its server states, unread', async () => {
    const { url } = await startFiles((response) =>
      response.writeHead(200, { 'content-length': '1001' }).flushHeaders(),
    );

    expect(await fetchFrom(url)).toEqual({ kind: 'too_large' });
  });

  it('is refused when an endless body passes the limit, and its connection ends', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await startFiles((response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more).on('close', closed.resolve);
      more();
    });

    expect(await fetchFrom(url, { budget: 1_000_000 })).toEqual({
      kind: 'too_large',
    });
    await closed.promise;
  });
});

describe('a server that does not give the file', () => {
  it.each<[string, Answer]>([
    ['never answers', () => {}],
    ['only sends headers', (response) => response.writeHead(200).flushHeaders()],
    [
      'trickles',
      (response) => {
        const drops = setInterval(() => response.write('.'), 5);
        onTestFinished(() => clearInterval(drops));
      },
    ],
  ])('in time, and %s, is given up', async (_what, answer) => {
    const { url } = await startFiles(answer);

    expect(await fetchFrom(url, { timeoutMs: 200 })).toEqual(tooLate);
  });

  it('is not asked when time is over already', async () => {
    const { url, requests } = await startFiles(answerWith(200));
    const fetchFile = createFileFetcher({ allowLoopbackHttp: true });

    expect(await fetchFile(url, () => true, AbortSignal.abort())).toEqual(tooLate);
    expect(requests).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['hangs up', (response) => response.destroy()],
    [
      'sends less than it stated',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      'breaks off between chunks',
      (response) => {
        response.writeHead(200).write('half');
        setTimeout(() => response.destroy(), 20);
      },
    ],
  ])('and %s is reported, and no half file is taken', async (_what, answer) => {
    const { url } = await startFiles(answer);

    expect(await fetchFrom(url)).toEqual(failed('broke off'));
  });

  it.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    ],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nabcde'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(10_000)}\r\n`],
  ])('and speaks in riddles (%s) is reported', async (_what, words) => {
    const url = await startRawServer(words, (socket) => socket.end());

    const outcome = await fetchFrom(url);

    expect(outcome).toMatchObject({ kind: 'failed' });
  });

  it('and switches protocols is reported', async () => {
    const url = await startRawServer(switchingProtocols);

    expect(await fetchFrom(url)).toEqual(failed('answered 101'));
  });

  const endless = 'HTTP/1.1 200 OK\r\n\r\nhalf';

  it('and leaves the end to its connection gives no half file when time is over', async () => {
    const url = await startRawServer(endless);

    expect(await fetchFrom(url, { timeoutMs: 200 })).toEqual(tooLate);
  });

  it('and leaves the end to its connection gives no half file when that breaks', async () => {
    const url = await startRawServer(endless, (socket) =>
      setTimeout(() => socket.resetAndDestroy(), 20),
    );

    expect(await fetchFrom(url)).toEqual(failed('broke off'));
  });

  it('and leaves the end to its connection gives the file when that ends', async () => {
    const url = await startRawServer(endless, (socket) => socket.end());

    expect(await fetchFrom(url)).toMatchObject({ file: { bytes: Buffer.from('half') } });
  });

  it('and does not listen is reported by the class of the error', async () => {
    const { url, stop } = await serveUntilEnd(createServer());
    await stop();

    expect(await fetchFrom(url)).toEqual(failed('could not be reached: econnrefused'));
  });
});

describe('a URL that is not public', () => {
  const blocked = 'must not lead to a private, loopback or reserved address';
  const resolveTo =
    (...addresses: readonly string[]): LookupFunction =>
    (_name, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );

  it.each(privateHosts)('is not fetched: %s', async (_what, hosts) => {
    for (const host of hosts) {
      const outcome = await fetchFrom(`https://${host}/a`, { resolve: resolveTo('8.8.8.8') });

      expect(outcome).toMatchObject({ kind: 'failed' });
    }
  });

  it.each([
    ['file:///etc/passwd', 'must begin with https://'],
    ['http://example.com/', 'must begin with https://'],
    ['data:text/plain,hello', 'must begin with https://'],
    ['https://user:password@example.com/', 'must not contain credentials'],
    ['https://example.com:25/', 'must use port 443, or one from 1024 up'],
    ['https://example.com/\r\nx: y', 'must begin'],
  ])('is not fetched: %j', async (url, reason) => {
    const resolve: LookupFunction = (_name, _options, done) => done(new Error('asked'), '');
    const outcome = await fetchFrom(url, { resolve });

    // White space inside a URL is dropped by every reader of URLs, so what is left is an ordinary one.
    const isOrdinary = url.includes('\r\n');
    expect(outcome).toEqual(
      isOrdinary ? failed('could not be reached: connection_error') : failed(reason),
    );
  });

  it('is not fetched by name, whichever address is used', async () => {
    const resolve = resolveTo('8.8.8.8', '169.254.169.254');

    expect(await fetchFrom('https://files.example.com/', { resolve })).toEqual(failed(blocked));
  });

  it('is not fetched from this machine by a deployed service', async () => {
    const { url, requests } = await startFiles(answerWith(200));

    expect(await fetchFrom(url, { allowLoopbackHttp: false })).toMatchObject({ kind: 'failed' });
    expect(requests).toEqual([]);
  });

  it.each([
    ['https://169.254.169.254/latest/meta-data/', `redirects to a URL that ${blocked}`],
    ['https://[::1]/', `redirects to a URL that ${blocked}`],
    ['http://example.com/', 'redirects to a URL that must begin with https://'],
    ['file:///etc/passwd', 'redirects to a URL that must begin with https://'],
    ['https://a:b@example.com/', 'redirects to a URL that must not contain credentials'],
    ['https://rebound.example.com/', blocked],
    ['https://', 'redirects to a URL that must be a URL such as https://example.com/path'],
  ])('is not fetched by a redirect to %s', async (location, reason) => {
    const { url } = await startFiles(answerWith(302, '', { location }));
    const outcome = await fetchFrom(url, { resolve: resolveTo('10.0.0.1') });

    expect(outcome).toEqual(failed(reason));
  });

  it('is not looked for without end', async () => {
    const { url, requests } = await startFiles((response, request) =>
      response.writeHead(302, { location: `${request.url}x` }).end(),
    );

    expect(await fetchFrom(`${url}/`)).toEqual(failed('redirects more than 3 times'));
    expect(requests).toHaveLength(4);
  });
});
