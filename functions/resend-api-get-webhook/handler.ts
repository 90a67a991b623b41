import { newAuditEntry } from '#shared/audit/audit-entry';
import { openAuditStore } from '#shared/audit/audit-store';
import { serveResend } from '#shared/resend/serve-resend';
import { findResendWebhook, toResendWebhook } from '#shared/resend/webhooks';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { endpoint } from './endpoint.ts';

/** The audit entry comes before the secret. */
export const handler = serveResend(
  endpoint,
  { webhooks: openWebhookStore, audit: openAuditStore },
  async ({ caller: { organizationId, actor }, path }, { audit, now, ...reading }) => {
    const webhook = await findResendWebhook(path.id, organizationId, reading);
    const change = { action: 'webhook.secret_read', target: webhook.id };
    await audit.append(newAuditEntry(organizationId, actor, change, now()));
    return toResendWebhook(webhook);
  },
);
