import { invalidField } from '#shared/errors/service-error';
import { readScheduledAt } from '#shared/resend/scheduled-at';
import { serveResend } from '#shared/resend/serve-resend';
import { moveSend } from '#shared/sending/later/change-plan';
import { openMoving } from '#shared/sending/later/plan-changing';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openMoving,
  async ({ caller, path: { id }, body }, moving) => {
    if (body.id !== undefined && body.id !== id)
      throw invalidField('id', 'must be the id in the path');
    const sendAt = readScheduledAt(body.scheduled_at, moving.now());
    await moveSend({ id, caller }, sendAt, moving);
    return { object: 'email' as const, id };
  },
);
