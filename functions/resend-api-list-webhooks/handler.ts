import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { pageOf } from '#shared/resend/list-page';
import { serveResend } from '#shared/resend/serve-resend';
import { isInResendForm, toListedResendWebhook } from '#shared/resend/webhooks';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serveResend(
  endpoint,
  management,
  async ({ caller, query }, { webhooks }) => {
    const all = await webhooks.list(caller.organizationId);
    return pageOf(all.filter(isInResendForm).map(toListedResendWebhook), query);
  },
);
