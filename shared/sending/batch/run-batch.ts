import type { Unadmitted } from '#shared/endpoints/endpoint';
import { errorFacts } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';
import { countOf } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { addRateHeaders, observeSend, type RateHeaders, rateLimitHeaders } from '../answer-send.ts';
import type { Sending } from '../sending.ts';
import { endpoint, type Outcome } from './batch-email.ts';
import type { ParsedBatch } from './batch-request.ts';
import { type FaultsOf, faultsAt, logOf, sendBatch } from './send-batch.ts';

type BatchRequest = Pick<Unadmitted, 'credential' | 'headers' | 'context' | 'responseHeaders'> & {
  readonly headersOf?: RateHeaders;
  readonly faultsOf?: FaultsOf;
  readonly sharesCode?: boolean;
};

/** Sends a batch, and adds its headers, log lines and the refused parts that its organization sees. */
export async function runBatch(
  batch: ParsedBatch,
  request: BatchRequest,
  sending: Sending,
): Promise<readonly Outcome[]> {
  const { credential, headers, context, responseHeaders, faultsOf, sharesCode = false } = request;
  const batchKey = headers['idempotency-key'];
  if (batch.ok && batchKey !== undefined) responseHeaders['Idempotency-Key'] = batchKey;
  const command = { credential, batch, context, ...(faultsOf && { faultsOf }), sharesCode };
  try {
    const outcomes = await sendBatch(command, sending);
    outcomes.forEach((outcome, place) => {
      observe(outcome, logOf(context, place));
    });
    context.refusedParts = outcomes.flatMap((one, place) => refusalOf(one, place, faultsOf));
    return outcomes;
  } finally {
    addRateHeaders(responseHeaders, context, request.headersOf ?? rateLimitHeaders);
  }
}

function observe(outcome: Outcome, log: RequestLog): void {
  if (outcome.ok) {
    observeSend(endpoint, outcome, log);
    return;
  }
  const { error } = outcome;
  const { status } = errorFacts(error.code);
  const fields = { code: error.code, status };
  if (status >= 500) {
    // The batch is answered 200, so API Gateway counts no failure.
    const counted = error.isSendersFault ? [] : [countOf('BatchEmailFailed')];
    log.error('email of a batch failed', error, fields, counted);
  } else log.info('email of a batch refused', fields);
}

/** The errors for which a strict batch is refused. */
const refusalOf = (outcome: Outcome, place: number, faultsOf?: FaultsOf): ServiceError[] =>
  outcome.ok
    ? []
    : [
        new ServiceError(outcome.error.code, outcome.error.message, {
          errors: faultsAt(place, outcome.error, faultsOf),
        }),
      ];

/** Set only if every email was answered before. */
export const replayHeaders = (outcomes: readonly Outcome[]): Record<string, string> =>
  outcomes.every((outcome) => outcome.ok && outcome.replayed)
    ? { 'Idempotency-Replayed': 'true' }
    : {};
