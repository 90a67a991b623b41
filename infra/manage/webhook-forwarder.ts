import { createServer, type IncomingMessage } from 'node:http';
import { type LocalServer, listen, readBody } from '../local/local-server.ts';

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
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly report: (forwarded: Forwarded) => void;
};

/** A little less than the service waits for an answer. */
const timeoutMs = 14_000;

/**
 * Listens on this machine and hands each webhook on to a receiver: the same bytes and the same headers, so
 * that the signature fits. The receiver's answer goes back, so that the service tries again what it refuses.
 */
export function startForwarder({
  forwardTo,
  fetch,
  now,
  report,
}: ForwarderOptions): Promise<LocalServer> {
  const server = createServer(async (request, response) => {
    const body = (await readBody(request)) ?? Buffer.alloc(0);
    const message = { at: now(), messageId: headerOf(request, 'webhook-id'), type: typeOf(body) };
    try {
      const answer = await fetch(forwardTo, {
        method: 'POST',
        headers: forwardedHeaders(request),
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = Buffer.from(await answer.arrayBuffer());
      const retryAfter = answer.headers.get('retry-after');
      response.writeHead(answer.status, retryAfter === null ? {} : { 'retry-after': retryAfter });
      response.end(text);
      report({ ...message, status: answer.status });
    } catch (error) {
      response.writeHead(502).end('The receiver did not answer.');
      report({ ...message, error: reasonOf(error) });
    }
  });
  return listen(server, 0);
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
