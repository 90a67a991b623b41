import type { RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import {
  failureClassOf,
  type GuardedConnection,
  openGuardedConnections,
} from '#shared/outbound/guarded-connection';
import type { PublicUrlPolicy } from '#shared/outbound/public-url';

export type WebhookPost = {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      readonly answer: string;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly kind: 'unanswered'; readonly error: string };

type WebhookPoster = (post: WebhookPost) => Promise<PostOutcome>;

const answerBytes = 1_024;
const idleMs = 4_000;

/**
 * Doesn't follow redirects; they count as answers.
 *
 * @param timeoutMs for the whole exchange; see `config/environment.ts`.
 */
export function createWebhookPoster(
  policy: PublicUrlPolicy,
  timeoutMs: number,
  resolve?: LookupFunction,
): WebhookPoster {
  const reuse = { keepAlive: true, timeout: idleMs };
  const connectionTo = openGuardedConnections(policy, reuse, resolve);
  return async ({ url, body, headers }) => {
    const connection = connectionTo(url);
    if (!connection.ok) return { kind: 'unanswered', error: 'blocked_address' };
    const options: RequestOptions = {
      method: 'POST',
      agent: connection.agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'transactional-email-service/1',
      },
    };
    try {
      return await exchange(connection, options, body);
    } catch (error) {
      return { kind: 'unanswered', error: failureClassOf(error) };
    }
  };
}

/** `stream` leaves out a character that was cut. */
const firstWords = (answer: Buffer): string =>
  new TextDecoder().decode(answer.subarray(0, answerBytes), { stream: true });

/**
 * The headers are the answer: a receiver that said 200 has the message, even if the connection then breaks or the time
 * runs out.
 */
function exchange(
  { open, url }: GuardedConnection,
  options: RequestOptions,
  body: string,
): Promise<PostOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<PostOutcome>();
  const giveUp = () => reject(new Error('closed without an answer'));
  const request = open(url, options, (response) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () =>
      resolve({
        kind: 'answered',
        statusCode: response.statusCode ?? 0,
        answer: firstWords(Buffer.concat(chunks)),
        retryAfterMs: retryAfterOf(response.headers['retry-after']),
      });
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length < answerBytes) return;
      finish();
      response.destroy();
    });
    response.on('end', finish);
    response.on('error', finish);
    response.on('close', finish);
    // The request may close before the answer is read.
    request.off('close', giveUp).off('error', reject).on('error', finish);
  });
  request.on('error', reject).on('close', giveUp).end(body);
  return promise;
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const delay = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(delay) && delay > 0 ? delay : undefined;
}
