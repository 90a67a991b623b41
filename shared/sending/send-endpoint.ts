import { type Authentication, noteKeyUse } from '#shared/access/authenticate';
import type { RateLimit } from '#shared/access/rate-limit';
import { observeAttachments } from '#shared/attachments/attachment-instrumentation';
import { WithHeaders } from '#shared/endpoints/answer';
import type { Endpoint } from '#shared/endpoints/endpoint';
import { serveUnadmitted, type UnadmittedRequest } from '#shared/endpoints/serve';
import { countOf } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { feedbackIdOf } from '#shared/tokens/resource-id';
import { type ParsedSendRequest, readSendRequest } from './request/send-request.ts';
import type { SendEndpoint, SendStatus } from './send.ts';
import type { sendDeclaration } from './send-declaration.ts';
import { type SendCommand, sendEmail } from './send-email.ts';
import type { SendResult } from './send-refusals.ts';
import type { Sending } from './sending.ts';

type SendEndpointDeclaration = typeof sendDeclaration & Pick<Endpoint, 'route' | 'words'>;

/** The HTTP side of the two endpoints that send. */
export const sendEndpoint = (
  declaration: SendEndpointDeclaration,
  endpoint: SendEndpoint,
  sending: Sending,
) =>
  serveUnadmitted(declaration, sending, (unadmitted, capability) => {
    const { readBody, headers } = unadmitted;
    const request = readSendRequest(readBody, headers['idempotency-key']);
    return answerSend(endpoint, request, unadmitted, capability);
  });

/** The headers that tell where a cap of the key stands. */
export type RateHeaders = (rateLimit: RateLimit) => Readonly<Record<string, string>>;

/** Sends what a request asks for, and answers it. */
export async function answerSend(
  endpoint: SendEndpoint,
  request: ParsedSendRequest,
  {
    credential,
    readBody,
    log,
    responseHeaders,
    headersOf = rateLimitHeaders,
  }: Pick<UnadmittedRequest<Endpoint>, 'credential' | 'readBody' | 'log' | 'responseHeaders'> & {
    readonly headersOf?: RateHeaders;
  },
  { onKey: onSecret, ...sending }: Sending & Pick<Authentication, 'onKey'>,
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
        ...(onSecret && { onSecret }),
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
 * Notes beside the work that the key was used. That is awaited, whatever becomes of the work: Lambda freezes
 * what isn't.
 */
export async function notingUse<Result>(
  sending: Sending,
  work: (onKey: SendCommand['onKey']) => Promise<Result>,
): Promise<Result> {
  const notes: Promise<void>[] = [];
  try {
    return await work((apiKey) => {
      notes.push(noteKeyUse(apiKey, sending.now(), sending.apiKeys));
    });
  } finally {
    await Promise.all(notes);
  }
}

/** What workers have, and nobody knows the outcome of. */
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
  const { sendId, status } = response;
  const fields = { feedbackId: feedbackIdOf(sendId), sendStatus: status };
  const counted = countOf(replayed ? 'SendReplayed' : 'SendSettled', { endpoint, status });
  log.info(replayed ? 'send replayed' : 'send settled', fields, [counted]);
}
