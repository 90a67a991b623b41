import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import {
  failureClassOf,
  type GuardedConnection,
  openGuardedConnections,
} from '#shared/outbound/guarded-connection';
import type { PublicUrlPolicy } from '#shared/outbound/public-url';
import { fileNameOf } from './file-name-of-response.ts';

export type FetchedFile = {
  readonly bytes: Uint8Array;
  /** As the server states it. */
  readonly contentType: string | undefined;
  /** From the answer, or the end of the URL. */
  readonly filename: string | undefined;
};

export type FetchOutcome =
  | { readonly kind: 'fetched'; readonly file: FetchedFile }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'failed'; readonly reason: string };

/** @param takeBytes takes bytes from the budget of all attachments; `false` when that's too many. */
export type FileFetcher = (
  url: string,
  takeBytes: (bytes: number) => boolean,
  signal: AbortSignal,
) => Promise<FetchOutcome>;

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

const tooLate = 'did not come in time';

const failed = (reason: string): FetchOutcome => ({ kind: 'failed', reason });

/**
 * Follows redirects, each under the same guard (private addresses: `outbound/public-url.ts`). A URL may contain a
 * signature, so it's in no error and no log.
 */
export function createFileFetcher(policy: PublicUrlPolicy, resolve?: LookupFunction): FileFetcher {
  // Connections aren't kept: the next file is somewhere else.
  const connectionTo = openGuardedConnections(policy, {}, resolve);
  return async (url, takeBytes, signal) => {
    if (signal.aborted) return failed(tooLate);
    let next = url;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const connection = connectionTo(next);
      if (!connection.ok) {
        return failed(`${hop === 0 ? '' : 'redirects to a URL that '}${connection.reason}`);
      }
      try {
        const response = await get(connection, signal);
        const location = redirectOf(response, connection.url);
        if (location === undefined) return await readFile(response, connection.url, takeBytes);
        response.destroy();
        next = location;
      } catch (error) {
        return failed(signal.aborted ? tooLate : reasonOf(error));
      }
    }
    return failed(`redirects more than ${maxRedirects} times`);
  };
}

function get(
  { open, url, agent }: GuardedConnection,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = {
    accept: '*/*',
    // A compressed answer could unpack to any size.
    'accept-encoding': 'identity',
    'user-agent': 'transactional-email-service/1',
  };
  const request = open(url, { method: 'GET', agent, signal, headers }, (response) => {
    // Without a stated length, a body would end wherever its connection breaks.
    request.on('error', (error) => response.destroy(error));
    resolve(response);
  });
  request
    .on('error', reject)
    .on('close', () => reject(new Error('closed without an answer')))
    .end();
  return promise;
}

function redirectOf(response: IncomingMessage, url: URL): string | undefined {
  const { location } = response.headers;
  if (location === undefined || !redirects.has(response.statusCode ?? 0)) return undefined;
  // A URL that can't be parsed is refused like any other.
  return URL.parse(location, url.href)?.href ?? location;
}

async function readFile(
  response: IncomingMessage,
  url: URL,
  takeBytes: (bytes: number) => boolean,
): Promise<FetchOutcome> {
  const { statusCode, headers } = response;
  try {
    if (statusCode !== 200) return failed(`answered ${statusCode}`);
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') return failed('answered in a content encoding not asked for');
    const bytes = await readBytes(response, takeBytes);
    if (bytes === undefined) return { kind: 'too_large' };
    const filename = fileNameOf(headers['content-disposition'], url);
    return { kind: 'fetched', file: { bytes, contentType: headers['content-type'], filename } };
  } finally {
    response.destroy();
  }
}

/** `undefined` as soon as it's too much. */
async function readBytes(
  response: IncomingMessage,
  takeBytes: (bytes: number) => boolean,
): Promise<Uint8Array | undefined> {
  const announced = Number(response.headers['content-length']);
  let taken = announced > 0 ? announced : 0;
  if (!takeBytes(taken)) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Buffer)) continue;
    chunks.push(chunk);
    length += chunk.length;
    if (length <= taken) continue;
    if (!takeBytes(length - taken)) return undefined;
    taken = length;
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  const failure = failureClassOf(error);
  switch (failure) {
    case 'blocked_address':
      return 'must not lead to a private, loopback or reserved address';
    case 'econnreset':
      return 'broke off';
    default:
      return `could not be reached: ${failure}`;
  }
}
