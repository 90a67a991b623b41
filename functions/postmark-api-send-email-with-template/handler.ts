import { ServiceError } from '#shared/errors/service-error';
import { readPostmarkEmail } from '#shared/postmark/email-request';
import { answerPostmarkSend } from '#shared/postmark/send-endpoint';
import { servePostmarkUnadmitted } from '#shared/postmark/serve-postmark';
import { openSending } from '#shared/sending/sending';
import { endpoint } from './endpoint.ts';

export const handler = servePostmarkUnadmitted(endpoint, openSending, (unadmitted, capability) => {
  const { readBody, headers, pathParameters } = unadmitted;
  const read = () => {
    if (pathParameters['rest']) throw new ServiceError('endpoint_not_found');
    return readBody();
  };
  const email = readPostmarkEmail(endpoint.body, read, headers['idempotency-key']);
  return answerPostmarkSend(email, unadmitted, capability);
});
