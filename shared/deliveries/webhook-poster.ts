import { lookup } from 'node:dns';
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as openHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as openHttps, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { SignatureHeaders } from '#shared/webhooks/signature';
import {
  checkWebhookUrl,
  isLoopbackAddress,
  type WebhookUrlPolicy,
} from '#shared/webhooks/webhook-url';
import { BlockedAddressError, guardLookup } from './guarded-lookup.ts';

export type WebhookPost = {
  readonly url: string;
  readonly body: string;
  readonly headers: SignatureHeaders;
};

export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      /** The first 1 KB. */
      readonly answer: string;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly kind: 'unanswered'; readonly error: string };

export type WebhookPoster = (post: WebhookPost) => Promise<PostOutcome>;

/** How much of an answer is read, and logged. */
const answerBytes = 1_024;
/** An idle connection may be dead after this: Lambda freezes between invocations. */
const idleMs = 4_000;

/**
 * Posts to endpoints over the public internet, and connects to public addresses only: the URL's host is
 * checked, and so is every address that a name resolves to, when connecting. Redirects aren't followed; they
 * count as answers.
 *
 * @param timeoutMs for the whole exchange; see `config/environment.ts`.
 * @param resolve resolves names.
 */
export function createWebhookPoster(
  policy: WebhookUrlPolicy,
  timeoutMs: number,
  resolve: LookupFunction = lookup,
): WebhookPoster {
  const reuse = { keepAlive: true, timeout: idleMs };
  const internet = {
    open: openHttps,
    agent: new HttpsAgent({ ...reuse, lookup: guardLookup(resolve) }),
  };
  const thisMachine = {
    open: openHttp,
    agent: new HttpAgent({ ...reuse, lookup: guardLookup(resolve, isLoopbackAddress) }),
  };
  return async ({ url: text, body, headers }) => {
    const checked = checkWebhookUrl(text, policy);
    if (!checked.ok) return { kind: 'unanswered', error: 'blocked_address' };
    const { open, agent } = checked.url.protocol === 'https:' ? internet : thisMachine;
    const options: RequestOptions = {
      method: 'POST',
      agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'transactional-email-service/1',
      },
    };
    try {
      return await exchange(open, checked.url, options, body);
    } catch (error) {
      return { kind: 'unanswered', error: classOf(error) };
    }
  };
}

type OpenRequest = (
  url: URL,
  options: RequestOptions,
  onResponse: (response: IncomingMessage) => void,
) => ClientRequest;

/**
 * Makes one exchange. The headers are the answer, whatever happens to the body: a receiver that said 200 has
 * the message, even if the connection then breaks or time runs out.
 */
function exchange(
  open: OpenRequest,
  url: URL,
  options: RequestOptions,
  body: string,
): Promise<PostOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<PostOutcome>();
  const request = open(url, options, (response) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () =>
      resolve({
        kind: 'answered',
        statusCode: response.statusCode ?? 0,
        answer: Buffer.concat(chunks).subarray(0, answerBytes).toString('utf8'),
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
    request.off('error', reject).on('error', finish);
  });
  request.on('error', reject).end(body);
  return promise;
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const delay = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(delay) && delay > 0 ? delay : undefined;
}

/** The error as a short stable word. Its message may name internal hosts and addresses. */
function classOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown_error';
  if (error instanceof BlockedAddressError) return 'blocked_address';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'timeout';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'name_not_resolved';
  if (/CERT|SSL|TLS|ALTNAME|SELF_SIGNED/.test(code)) return 'tls_error';
  return code === '' ? 'connection_error' : code.toLowerCase();
}
