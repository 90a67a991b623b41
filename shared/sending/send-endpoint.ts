import { noteKeyUse } from '#shared/access/authenticate';
import type { RateLimit } from '#shared/access/rate-limit';
import { observeAttachments } from '#shared/attachments/attachment-instrumentation';
import { presentedCredential } from '#shared/http/credential';
import { type JsonRequest, jsonEndpoint } from '#shared/http/http-endpoint';
import { type HttpResponse, jsonResponse } from '#shared/http/http-response';
import { publishCount } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { feedbackIdOf } from '#shared/tokens/resource-id';
import type { SendEndpoint, sendAnswerSchema } from './send.ts';
import { type SendCommand, type SendResult, sendEmail } from './send-email.ts';
import { readSendRequest, type SendRequestSchemas } from './send-request.ts';
import type { Sending } from './sending.ts';

/** The schemas by which the two functions parse and answer. */
export type SendSchemas = SendRequestSchemas & {
  readonly responseSchema: typeof sendAnswerSchema;
};

/** The HTTP side of the two endpoints that send. */
export const sendEndpoint = (endpoint: SendEndpoint, schemas: SendSchemas, sending: Sending) =>
  jsonEndpoint((request) => answerSend(endpoint, schemas, request, sending));

async function answerSend(
  endpoint: SendEndpoint,
  schemas: SendSchemas,
  { readBody, headers, log, responseHeaders }: JsonRequest,
  sending: Sending,
): Promise<HttpResponse> {
  const request = readSendRequest(readBody, headers['idempotency-key'], schemas);
  if (request.ok && request.value.idempotencyKey !== undefined) {
    responseHeaders['Idempotency-Key'] = request.value.idempotencyKey;
  }
  /** It runs beside the send, and is awaited last: Lambda would freeze what nobody waits for. */
  const notesOfUse: Promise<void>[] = [];
  const command: SendCommand = {
    endpoint,
    credential: presentedCredential(headers),
    request,
    log,
    onKey: (apiKey) => {
      notesOfUse.push(noteKeyUse(apiKey, sending.now(), sending.apiKeys));
    },
    onRateLimit: (rateLimit) => Object.assign(responseHeaders, rateLimitHeaders(rateLimit)),
    onAttachments: (report) => observeAttachments(log, report),
  };
  try {
    const result = await sendEmail(command, sending);
    observe(endpoint, result, log);
    return jsonResponse(
      schemas.responseSchema.parse({ ...result.response, reused: result.replayed }),
      result.replayed ? { 'Idempotency-Replayed': 'true' } : {},
    );
  } finally {
    await Promise.all(notesOfUse);
  }
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
  log: RequestLog,
): void {
  const { sendId, status } = response;
  const fields = { feedbackId: feedbackIdOf(sendId), sendStatus: status };
  log.info(replayed ? 'send replayed' : 'send settled', fields);
  publishCount(replayed ? 'SendReplayed' : 'SendSettled', { endpoint, status });
}
