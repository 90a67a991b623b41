import { observeAttachments } from '#shared/attachments/attachment-instrumentation';
import { publishCount } from '#shared/observability/metrics';
import type { RateLimit } from '#shared/organizations/rate-limit';
import type { SendEndpoint } from '#shared/sending/send';
import { type SendResult, sendEmail } from '#shared/sending/send-email';
import { parseSendRequest } from '#shared/sending/send-request';
import type { Sending } from '#shared/sending/sending';
import { presentedCredential } from './credential.ts';
import { type HttpRequest, jsonEndpoint } from './http-endpoint.ts';
import { type HttpResponse, jsonResponse } from './http-response.ts';

/** The HTTP side of the two endpoints that send. */
export const sendEndpoint = (endpoint: SendEndpoint, sending: Sending) =>
  jsonEndpoint((request) => answerSend(endpoint, request, sending));

async function answerSend(
  endpoint: SendEndpoint,
  { body, headers, log, responseHeaders }: HttpRequest,
  sending: Sending,
): Promise<HttpResponse> {
  const request = parseSendRequest(body, headers['idempotency-key']);
  if (request.ok && request.value.idempotencyKey !== undefined) {
    responseHeaders['Idempotency-Key'] = request.value.idempotencyKey;
  }
  const result = await sendEmail(
    {
      endpoint,
      credential: presentedCredential(headers),
      request,
      log,
      onRateLimit: (rateLimit) => Object.assign(responseHeaders, rateLimitHeaders(rateLimit)),
      onAttachments: (report) => observeAttachments(log, report),
    },
    sending,
  );
  observe(endpoint, result, log);
  return jsonResponse(
    { ...result.response, reused: result.replayed },
    result.replayed ? { 'Idempotency-Replayed': 'true' } : {},
  );
}

/** `X-RateLimit-Reset` is in epoch seconds. */
const rateLimitHeaders = ({ limit, remaining, resetAt }: RateLimit) => ({
  'X-RateLimit-Limit': `${limit}`,
  'X-RateLimit-Remaining': `${remaining}`,
  'X-RateLimit-Reset': `${resetAt / 1000}`,
});

function observe(
  endpoint: SendEndpoint,
  { response, replayed }: SendResult,
  log: HttpRequest['log'],
): void {
  const { sendId, status } = response;
  log.info(replayed ? 'send replayed' : 'send settled', { sendId, sendStatus: status });
  publishCount(replayed ? 'SendReplayed' : 'SendSettled', { endpoint, status });
}
