import { WithHeaders } from '#shared/endpoints/endpoint';
import { readResendEmail } from '#shared/resend/email-request';
import { resendRateHeadersAt } from '#shared/resend/resend-declaration';
import { serveResendEmail } from '#shared/resend/serve-resend';
import { openSending } from '#shared/sending/sending';
import { answerSend } from '#shared/sending/serve-send';
import { endpoint } from './endpoint.ts';

export const handler = serveResendEmail(endpoint, openSending, async (unadmitted, capability) => {
  const { readBody, headers } = unadmitted;
  const { request, body } = readResendEmail(readBody, headers['idempotency-key'], capability.now());
  const headersOf = resendRateHeadersAt(capability.now());
  const asOurs = { ...unadmitted, readBody: () => body, headersOf };
  const answered = await answerSend('send', request, asOurs, capability);
  return new WithHeaders({ id: answered.body.sendId }, answered.headers);
});
