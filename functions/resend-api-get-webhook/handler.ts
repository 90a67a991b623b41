import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import { findResendWebhook, toResendWebhook } from '#shared/resend/webhooks';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serveResend(endpoint, management, async ({ caller, path }, reading) =>
  toResendWebhook(await findResendWebhook(path.id, caller.organizationId, reading)),
);
