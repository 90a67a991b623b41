import * as z from 'zod/mini';
import { observeAttachments } from '#shared/attachments/attachment-instrumentation';
import { presentedCredential } from '#shared/http/credential';
import { type HttpRequest, jsonEndpoint } from '#shared/http/http-endpoint';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import { publishCount } from '#shared/observability/metrics';
import type { RateLimit } from '#shared/organizations/rate-limit';
import { type SendEndpoint, sendResponseSchema } from './send.ts';
import { type SendResult, sendEmail } from './send-email.ts';
import { parseSendRequest } from './send-request.ts';
import type { Sending } from './sending.ts';

/** Response 200 of send and send-global. `reused`: it answers an earlier request with the same key. */
export const sendAnswerSchema = z.extend(sendResponseSchema, { reused: z.boolean() });

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
    sendAnswerSchema.parse({ ...result.response, reused: result.replayed }),
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
