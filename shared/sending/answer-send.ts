import { invalidApiKey, keyByIam } from '#shared/access/api-key';
import type { RequestContext, ShownRateLimit } from '#shared/access/request-context';
import { type Unadmitted, WithHeaders } from '#shared/endpoints/endpoint';
import { countOf } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { apiKeyIdSchema, feedbackIdOf } from '#shared/tokens/resource-id';
import type { SendResult } from './idempotency-key.ts';
import { readSendRequest } from './request/send-request.ts';
import type { SendEndpoint, SendStatus } from './send.ts';
import { type SendCommand, sendOnce } from './send-once.ts';
import type { Sending } from './sending.ts';

/** What `POST /emails/send` and `/emails/send-global` do. */
export function sendAsAsked(endpoint: SendEndpoint, unadmitted: Unadmitted, sending: Sending) {
  const received = unadmitted.readBody();
  const request = readSendRequest(received, unadmitted.headers['idempotency-key']);
  // Only emails for later need it.
  const body = received.ok ? received.value : undefined;
  const credential = keyAllowedByIam(unadmitted) ?? unadmitted.credential;
  return answerSend(endpoint, { request, body }, { ...unadmitted, credential }, sending);
}

/** The key in the path, if IAM allows the caller to use it. */
function keyAllowedByIam({
  isAllowedByIam,
  pathParameters,
}: Pick<Unadmitted, 'isAllowedByIam' | 'pathParameters'>) {
  if (!isAllowedByIam) return undefined;
  const id = apiKeyIdSchema.safeParse(pathParameters['apiKeyId']);
  if (!id.success) throw invalidApiKey();
  return keyByIam(id.data);
}

export type RateHeaders = (rateLimit: ShownRateLimit) => Readonly<Record<string, string>>;

type Asking = Pick<Unadmitted, 'context' | 'responseHeaders'> & {
  readonly credential: SendCommand['credential'];
};

/** Sends one email, and answers in our form. */
export async function answerSend(
  endpoint: SendEndpoint,
  email: Pick<SendCommand, 'request' | 'body' | 'scopes'>,
  { credential, context, responseHeaders }: Asking,
  sending: Sending,
  headersOf: RateHeaders = rateLimitHeaders,
) {
  const { request } = email;
  if (request.ok && request.value.idempotencyKey !== undefined) {
    responseHeaders['Idempotency-Key'] = request.value.idempotencyKey;
  }
  try {
    const result = await sendOnce({ ...email, endpoint, credential, context }, sending);
    observeSend(endpoint, result, context.log);
    return new WithHeaders(
      { ...result.response, reused: result.replayed },
      result.replayed ? { 'Idempotency-Replayed': 'true' } : {},
      goesOut.has(result.response.status) ? 202 : 200,
    );
  } finally {
    addRateHeaders(responseHeaders, context, headersOf);
  }
}

/** Refusals show the rate limit, too. */
export function addRateHeaders(
  responseHeaders: Record<string, string>,
  { rateLimit }: RequestContext,
  headersOf: RateHeaders,
): void {
  if (rateLimit) Object.assign(responseHeaders, headersOf(rateLimit));
}

/** It waits for workers, or is in doubt. */
const goesOut = new Set<SendStatus>(['scheduled', 'queued', 'sending']);

/** `X-RateLimit-Reset` is in epoch seconds. */
export const rateLimitHeaders = ({ limit, remaining, resetAt }: ShownRateLimit) => ({
  'X-RateLimit-Limit': `${limit}`,
  'X-RateLimit-Remaining': `${remaining}`,
  'X-RateLimit-Reset': `${resetAt / 1000}`,
});

export function observeSend(
  endpoint: SendEndpoint,
  { response, replayed }: SendResult,
  log: RequestLog,
): void {
  const { sendId, test } = response;
  // SES has no event of a test email: an alarm compares both.
  const status = test && response.status === 'sent' ? 'simulated' : response.status;
  const counted = countOf(replayed ? 'SendReplayed' : 'SendSettled', { endpoint, status });
  const feedbackId = feedbackIdOf(sendId);
  log.info(replayed ? 'send replayed' : 'send settled', { feedbackId }, [counted]);
}
