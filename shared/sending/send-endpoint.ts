import { type Authentication, noteKeyUse } from '#shared/access/authenticate';
import type { RateLimit } from '#shared/access/rate-limit';
import { observeAttachments } from '#shared/attachments/attachment-instrumentation';
import { WithHeaders } from '#shared/endpoints/answer';
import type { Endpoint } from '#shared/endpoints/endpoint';
import { serveUnadmitted, type UnadmittedRequest } from '#shared/endpoints/serve';
import { publishCount } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { feedbackIdOf } from '#shared/tokens/resource-id';
import type { SendEndpoint } from './send.ts';
import type { sendDeclaration } from './send-declaration.ts';
import { type SendCommand, type SendResult, sendEmail } from './send-email.ts';
import { readSendRequest } from './send-request.ts';
import type { Sending } from './sending.ts';

type SendEndpointDeclaration = typeof sendDeclaration & Pick<Endpoint, 'route' | 'words'>;

/** The HTTP side of the two endpoints that send. */
export const sendEndpoint = (
  declaration: SendEndpointDeclaration,
  endpoint: SendEndpoint,
  sending: Sending,
) =>
  serveUnadmitted(declaration, sending, (request, capability) =>
    answerSend(endpoint, request, capability),
  );

async function answerSend(
  endpoint: SendEndpoint,
  {
    credential,
    readBody,
    headers,
    log,
    responseHeaders,
  }: UnadmittedRequest<SendEndpointDeclaration>,
  { onKey: onSecret, ...sending }: Sending & Pick<Authentication, 'onKey'>,
) {
  const request = readSendRequest(readBody, headers['idempotency-key']);
  if (request.ok && request.value.idempotencyKey !== undefined) {
    responseHeaders['Idempotency-Key'] = request.value.idempotencyKey;
  }
  /** Runs beside the send and is awaited last: Lambda freezes what isn't awaited. */
  const notesOfUse: Promise<void>[] = [];
  const command: SendCommand = {
    endpoint,
    credential,
    request,
    log,
    ...(onSecret && { onSecret }),
    onKey: (apiKey) => {
      notesOfUse.push(noteKeyUse(apiKey, sending.now(), sending.apiKeys));
    },
    onRateLimit: (rateLimit) => Object.assign(responseHeaders, rateLimitHeaders(rateLimit)),
    onAttachments: (report) => observeAttachments(log, report),
  };
  try {
    const result = await sendEmail(command, sending);
    observe(endpoint, result, log);
    return new WithHeaders(
      { ...result.response, reused: result.replayed },
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
