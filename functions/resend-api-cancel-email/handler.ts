import { serveResend } from '#shared/resend/serve-resend';
import { cancelSend } from '#shared/sending/later/change-plan';
import { openCanceling } from '#shared/sending/later/plan-changing';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openCanceling,
  async ({ caller, path: { id }, log }, canceling) => {
    await cancelSend({ id, caller }, canceling, log);
    return { object: 'email' as const, id };
  },
);
