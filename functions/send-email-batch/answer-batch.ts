import type { Authentication } from '#shared/access/authenticate';
import { observeAttachments } from '#shared/attachments/attachment-instrumentation';
import { WithHeaders } from '#shared/endpoints/answer';
import type { UnadmittedRequest } from '#shared/endpoints/serve';
import { errorFacts } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import { notingUse, observeSend, rateLimitHeaders } from '#shared/sending/send-endpoint';
import type { Sending } from '#shared/sending/sending';
import { readBatch } from './batch-request.ts';
import type { endpoint } from './endpoint.ts';
import { faultsAt, type Outcome, sendBatch } from './send-email-batch.ts';

/** The HTTP side of a batch. */
export async function answerBatch(
  { credential, readBody, headers, log, responseHeaders }: UnadmittedRequest<typeof endpoint>,
  {
    onKey: onSecret,
    onRefusedParts,
    ...sending
  }: Sending & Pick<Authentication, 'onKey' | 'onRefusedParts'>,
) {
  const batchKey = headers['idempotency-key'];
  const batch = readBatch(readBody, batchKey);
  if (batch.ok && batchKey !== undefined) responseHeaders['Idempotency-Key'] = batchKey;
  const logOf = (place: number) => log.part({ place });
  const outcomes = await notingUse(sending, (onKey) =>
    sendBatch(
      {
        credential,
        batch,
        log,
        logOf,
        ...(onSecret && { onSecret }),
        onKey,
        onRateLimit: (rateLimit) => Object.assign(responseHeaders, rateLimitHeaders(rateLimit)),
        onAttachments: (place, report) => observeAttachments(logOf(place), report),
      },
      sending,
    ),
  );
  outcomes.forEach((outcome, place) => {
    observe(outcome, logOf(place));
  });
  const refused = outcomes.flatMap(refusalOf);
  if (refused.length > 0) await onRefusedParts?.(refused);
  const areReplayed = outcomes.every((outcome) => outcome.ok && outcome.replayed);
  return new WithHeaders(
    { data: outcomes.map(resultOf) },
    areReplayed ? { 'Idempotency-Replayed': 'true' } : {},
  );
}

function observe(outcome: Outcome, log: RequestLog): void {
  if (outcome.ok) {
    observeSend('send', outcome, log);
    return;
  }
  const { error } = outcome;
  const { status } = errorFacts(error.code);
  const fields = { code: error.code, status };
  if (status >= 500) log.error('email of a batch failed', error, fields);
  else log.info('email of a batch refused', fields);
}

/** As the batch would be refused for it, if it were strict. */
const refusalOf = (outcome: Outcome, place: number): ServiceError[] =>
  outcome.ok
    ? []
    : [
        new ServiceError(outcome.error.code, outcome.error.message, {
          errors: faultsAt(place, outcome.error),
        }),
      ];

const resultOf = (outcome: Outcome) => ({
  ...(outcome.idempotencyKey !== undefined && { idempotencyKey: outcome.idempotencyKey }),
  ...(outcome.ok
    ? { ...outcome.response, reused: outcome.replayed }
    : { error: errorOf(outcome.error) }),
});

function errorOf({ code, message, errors, retryAfterSeconds }: ServiceError) {
  const { status, title } = errorFacts(code);
  return {
    code,
    status,
    title,
    detail: message,
    ...(errors && { errors: [...errors] }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
