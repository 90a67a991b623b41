import { once } from 'node:events';
import { createServer, Agent as HttpAgent, request as openHttp } from 'node:http';
import { Agent as HttpsAgent, request as openHttps, type RequestOptions } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isConnectionNotMade, watchConnections } from '#shared/aws/connection-watch';
import { serveUntilEnd } from '../../support/server-until-end.ts';

const patience = 60_000;

async function closedPort(): Promise<number> {
  const { port, stop } = await serveUntilEnd(createTcpServer());
  await stop();
  return port;
}

/** The error that a request ends with. */
async function failureOf(open: typeof openHttp, options: RequestOptions): Promise<unknown> {
  const request = open({ method: 'POST', ...options });
  const failure = once(request, 'error');
  request.end('{"to":"ann@example.com"}');
  const [error] = await failure;
  return error;
}

const overHttp = (options: RequestOptions, withinMs = patience) => {
  const agent = watchConnections(new HttpAgent({ keepAlive: true }), 'connect', withinMs);
  onTestFinished(() => agent.destroy());
  return failureOf(openHttp, { host: '127.0.0.1', ...options, agent });
};

/** A shared key in place of a certificate. */
const sharedKey = { psk: Buffer.from('0123456789abcdef'), identity: 'client' };
const byKey = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const;

const overHttps = (port: number, withinMs = patience) => {
  const trust = { ...byKey, pskCallback: () => sharedKey, checkServerIdentity: () => undefined };
  const agent = watchConnections(new HttpsAgent(trust), 'secureConnect', withinMs);
  onTestFinished(() => agent.destroy());
  return failureOf(openHttps, { host: '127.0.0.1', port, agent });
};

describe('a connection that is not made', () => {
  it('for a name that nobody resolves sends nothing', async () => {
    const unknownName = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });

    const error = await overHttp({
      host: 'ses.invalid',
      lookup: (_name, _options, done) => done(unknownName, []),
    });

    expect([error, isConnectionNotMade(error)]).toEqual([unknownName, true]);
  });

  it('as it is refused sends nothing', async () => {
    const error = await overHttp({ port: await closedPort() });

    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(isConnectionNotMade(error)).toBe(true);
  });

  it('as every address of a name refuses it sends nothing', async () => {
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));

    const error = await overHttp({
      host: 'ses.example',
      port: await closedPort(),
      lookup: (_name, _options, done) => done(null, addresses),
    });

    expect(error).toBeInstanceOf(AggregateError);
    expect(isConnectionNotMade(error)).toBe(true);
  });

  it('as its name is not resolved in time is given up, and sends nothing', async () => {
    const error = await overHttp({ host: 'ses.example', lookup: () => {} }, 20);

    expect(error).toMatchObject({ message: 'no connection within 20 ms' });
    expect(isConnectionNotMade(error)).toBe(true);
  });

  it('as its TLS handshake gets no answer in time is given up, and sends nothing', async () => {
    const { port } = await serveUntilEnd(createTcpServer());

    const error = await overHttps(port, 20);

    expect(error).toMatchObject({ message: 'no connection within 20 ms' });
    expect(isConnectionNotMade(error)).toBe(true);
  });

  it('as its TLS handshake is cut sends nothing', async () => {
    const { port } = await serveUntilEnd(
      createTcpServer((socket) => socket.once('data', () => socket.destroy())),
    );

    const error = await overHttps(port);

    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(isConnectionNotMade(error)).toBe(true);
  });
});

describe('a connection that is made', () => {
  it('and cut may have sent the request', async () => {
    const { port } = await serveUntilEnd(createServer((request) => request.socket.destroy()));

    const error = await overHttp({ port });

    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(isConnectionNotMade(error)).toBe(false);
  });

  it('over TLS and cut may have sent the request', async () => {
    const received: string[] = [];
    const { port } = await serveUntilEnd(
      createTlsServer({ ...byKey, pskCallback: () => sharedKey.psk }, (socket) =>
        socket.once('data', (bytes) => {
          received.push(bytes.toString());
          socket.destroy();
        }),
      ),
    );

    const error = await overHttps(port);

    expect(received.join()).toContain('POST / HTTP/1.1');
    expect(isConnectionNotMade(error)).toBe(false);
  });

  it('outlives the time that it had to be made', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { port } = await serveUntilEnd(
      createServer((request) => {
        vi.advanceTimersByTime(2 * patience);
        request.socket.destroy();
      }),
    );

    const error = await overHttp({ port });

    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });

  it('in time is kept by a process that was too busy to hear of it', async () => {
    const { port } = await serveUntilEnd(createServer((request) => request.socket.destroy()));

    const failure = overHttp({ port }, 20);
    process.nextTick(block, 100);

    expect(await failure).toMatchObject({ code: 'ECONNRESET' });
  });
});

/** Keeps the process from hearing of anything. */
const block = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
