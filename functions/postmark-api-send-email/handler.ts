import { readPostmarkEmail } from '#shared/postmark/email-request';
import { answerPostmarkSend } from '#shared/postmark/send-endpoint';
import { servePostmarkUnadmitted } from '#shared/postmark/serve-postmark';
import { openSending } from '#shared/sending/sending';
import { endpoint } from './endpoint.ts';

export const handler = servePostmarkUnadmitted(endpoint, openSending, (unadmitted, capability) => {
  const { readBody, headers } = unadmitted;
  const email = readPostmarkEmail(endpoint.body, readBody, headers['idempotency-key']);
  return answerPostmarkSend(email, unadmitted, capability);
});
