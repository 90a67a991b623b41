import { invalidApiKey, keyByIam } from '#shared/access/api-key';
import type { RateLimit } from '#shared/access/rate-window';
import { observeAttachments } from '#shared/attachments/attachment-instrumentation';
import { type Unadmitted, WithHeaders } from '#shared/endpoints/endpoint';
import { countOf } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { apiKeyIdSchema, feedbackIdOf } from '#shared/tokens/resource-id';
import type { SendResult } from './claim.ts';
import { type ParsedSendRequest, readSendRequest } from './request/send-request.ts';
import type { SendEndpoint, SendStatus } from './send.ts';
import { type SendCommand, sendEmail } from './send-email.ts';
import type { Sending } from './sending.ts';

/** Answers a request to send, of `send` and `send_global` alike. */
export function sendAsAsked(countedAs: SendEndpoint, unadmitted: Unadmitted, sending: Sending) {
  const { readBody, headers } = unadmitted;
  const request = readSendRequest(readBody, headers['idempotency-key']);
  const credential = keyAllowedByIam(unadmitted) ?? unadmitted.credential;
  return answerSend(countedAs, request, { ...unadmitted, credential }, sending);
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

export type RateHeaders = (rateLimit: RateLimit) => Readonly<Record<string, string>>;

export async function answerSend(
  endpoint: SendEndpoint,
  request: ParsedSendRequest,
  {
    credential,
    readBody,
    context,
    log,
    responseHeaders,
    headersOf = rateLimitHeaders,
  }: Pick<Unadmitted, 'readBody' | 'context' | 'log' | 'responseHeaders'> & {
    readonly credential: SendCommand['credential'];
    readonly headersOf?: RateHeaders;
  },
  sending: Sending,
) {
  if (request.ok && request.value.idempotencyKey !== undefined) {
    responseHeaders['Idempotency-Key'] = request.value.idempotencyKey;
  }
  const result = await notingUse(sending, (onKey) =>
    sendEmail(
      {
        endpoint,
        credential,
        request,
        readBody,
        log,
        onSecret: (id) => {
          context.apiKeyId = id;
        },
        onKey,
        onRateLimit: (rateLimit) => Object.assign(responseHeaders, headersOf(rateLimit)),
        onAttachments: (report) => observeAttachments(log, report),
      },
      sending,
    ),
  );
  observeSend(endpoint, result, log);
  return new WithHeaders(
    { ...result.response, reused: result.replayed },
    result.replayed ? { 'Idempotency-Replayed': 'true' } : {},
    goesOut.has(result.response.status) ? 202 : 200,
  );
}

/**
 * Records the key's use beside the work, and waits for it even if the work fails: Lambda freezes whatever isn't
 * awaited.
 */
export async function notingUse<Result>(
  sending: Sending,
  work: (onKey: SendCommand['onKey']) => Promise<Result>,
): Promise<Result> {
  const notes: Promise<void>[] = [];
  try {
    return await work((apiKey) => {
      notes.push(sending.noteKeyUse(apiKey, sending.now()));
    });
  } finally {
    await Promise.all(notes);
  }
}

/** It waits for workers, or is in doubt. */
const goesOut = new Set<SendStatus>(['scheduled', 'queued', 'sending']);

/** `X-RateLimit-Reset` is in epoch seconds. */
export const rateLimitHeaders = ({ limit, remaining, resetAt }: RateLimit) => ({
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
