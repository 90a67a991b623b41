import { serveResend } from '#shared/resend/serve-resend';
import { cancelSend } from '#shared/sending/later/change-plan';
import { openCanceling } from '#shared/sending/later/plan-changing';
import { endpoint } from './endpoint.ts';

const canceling = openCanceling();

export const handler = serveResend(endpoint, canceling, async ({ caller, path: { id }, log }) => {
  await cancelSend({ id, caller }, canceling, log);
  return { object: 'email' as const, id };
});
