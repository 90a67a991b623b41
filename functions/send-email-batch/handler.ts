import { WithHeaders } from '#shared/endpoints/endpoint';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { errorFacts } from '#shared/errors/errors';
import type { ServiceError } from '#shared/errors/service-error';
import { readBatch } from '#shared/sending/batch/batch-request';
import type { Outcome } from '#shared/sending/batch/judged-email';
import { replayHeaders, runBatch } from '#shared/sending/batch/run-batch';
import { openSending } from '#shared/sending/sending';
import { endpoint } from './endpoint.ts';

export const handler = serveUnadmitted(endpoint, openSending, async (unadmitted, capability) => {
  const { readBody, headers } = unadmitted;
  const batch = readBatch(readBody, headers['idempotency-key']);
  const outcomes = await runBatch(batch, unadmitted, capability);
  return new WithHeaders({ data: outcomes.map(resultOf) }, replayHeaders(outcomes));
});

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
