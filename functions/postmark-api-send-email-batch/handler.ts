import { batchForms, readPostmarkBatch } from '#shared/postmark/email-request';
import { answerPostmarkBatch } from '#shared/postmark/send-endpoint';
import { servePostmarkUnadmitted } from '#shared/postmark/serve-postmark';
import { openSending } from '#shared/sending/sending';
import { endpoint } from './endpoint.ts';

export const handler = servePostmarkUnadmitted(endpoint, openSending, (unadmitted, capability) => {
  const { readBody, headers } = unadmitted;
  const batch = readPostmarkBatch(batchForms.list, readBody, headers['idempotency-key']);
  return answerPostmarkBatch(batch, unadmitted, capability);
});
