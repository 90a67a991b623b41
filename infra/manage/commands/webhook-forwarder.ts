import { createServer, type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { type LocalServer, listen, readBody } from '../../local/server.ts';

/** What became of one message. */
export type Forwarded = {
  readonly at: number;
  readonly messageId: string;
  readonly type: string;
  /** What the receiver answered; absent when it did not. */
  readonly status?: number;
  readonly error?: string;
};

export type ForwarderOptions = {
  readonly forwardTo: URL;
  readonly now: () => number;
  readonly report: (forwarded: Forwarded) => void;
};

/** A little less than the service waits for an answer. */
const timeoutMs = 14_000;

/**
 * Listens on this machine and hands each webhook on to a receiver: the same bytes and the same headers, so
 * that the signature fits. The receiver's answer goes back, so that the service tries again what it refuses.
 */
export function startForwarder({ forwardTo, now, report }: ForwarderOptions): Promise<LocalServer> {
  const server = createServer(async (request, response) => {
    const body = (await readBody(request)) ?? Buffer.alloc(0);
    const message = { at: now(), messageId: headerOf(request, 'webhook-id'), type: typeOf(body) };
    try {
      const answer = await post(forwardTo, forwardedHeaders(request), body);
      const text = await readBody(answer);
      const { statusCode: status = 502 } = answer;
      const retryAfter = answer.headers['retry-after'];
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
      response.end(text);
      report({ ...message, status });
    } catch (error) {
      response.writeHead(502).end('The receiver did not answer.');
      report({ ...message, error: reasonOf(error) });
    }
  });
  return listen(server, 0);
}

/** Not by `fetch`, which refuses ports on which browsers suspect other protocols, such as 6000. */
function post(url: URL, headers: Record<string, string>, body: Buffer): Promise<IncomingMessage> {
  const answer = Promise.withResolvers<IncomingMessage>();
  const open = url.protocol === 'https:' ? requestByHttps : requestByHttp;
  const options = { method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs) };
  const request = open(url, options, answer.resolve);
  request.once('error', answer.reject);
  request.end(body);
  return answer.promise;
}

/** Those that a receiver reads. The others belong to the connection. */
const forwardedHeaders = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
      (name) => [name, headerOf(request, name)],
    ),
  );

const headerOf = ({ headers }: IncomingMessage, name: string): string => `${headers[name] ?? ''}`;

function typeOf(body: Buffer): string {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const isMessage = typeof parsed === 'object' && parsed !== null && 'type' in parsed;
    return isMessage ? String(parsed.type) : 'unknown';
  } catch {
    return 'unknown';
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return String(cause);
}
