import { WithHeaders } from '#shared/endpoints/endpoint';
import { readResendBatch } from '#shared/resend/batch-request';
import { faultsOfEmail } from '#shared/resend/field-names';
import { resendRateHeadersAt } from '#shared/resend/resend-declaration';
import { resendMessageOf } from '#shared/resend/resend-error';
import { serveResendEmail } from '#shared/resend/serve-resend';
import { replayHeaders, runBatch } from '#shared/sending/batch/run-batch';
import { openSending } from '#shared/sending/sending';
import { endpoint } from './endpoint.ts';

export const handler = serveResendEmail(endpoint, openSending, async (unadmitted, capability) => {
  const { readBody, headers } = unadmitted;
  const batch = readResendBatch(readBody, headers, capability.now());
  const headersOf = resendRateHeadersAt(capability.now());
  const told = { ...unadmitted, headersOf, faultsOf: faultsOfEmail, sharesCode: true };
  const outcomes = await runBatch(batch, told, capability);
  const data = outcomes.flatMap((one) => (one.ok ? [{ id: one.response.sendId }] : []));
  const errors = outcomes.flatMap((one, index) =>
    one.ok ? [] : [{ index, message: resendMessageOf(one.error), error: one.error }],
  );
  // A program that asks for all or none doesn't look for errors in a successful answer.
  if (batch.ok && batch.value.isStrict && data.length === 0 && errors[0]) throw errors[0].error;
  return new WithHeaders({ data, ...(errors.length > 0 && { errors }) }, replayHeaders(outcomes));
});
