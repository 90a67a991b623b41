import { serveResend } from '#shared/resend/serve-resend';
import { findResendWebhook } from '#shared/resend/webhooks';
import { defaultOverlapHours } from '#shared/timing/rotation-overlap';
import { rotateWebhookSecret } from '#shared/webhooks/rotate-webhook-secret';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openWebhookManagement,
  async ({ caller, path }, rotation) => {
    await findResendWebhook(path.id, caller.organizationId, rotation);
    const body = { overlapHours: defaultOverlapHours };
    const { secret } = await rotateWebhookSecret({ caller, path, body }, rotation);
    return { object: 'webhook' as const, id: path.id, signing_secret: secret };
  },
);
