import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { renderManagementError } from '#shared/resend/resend-error';
import { findResendWebhook, toResendWebhook } from '#shared/resend/webhooks';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serve(
  endpoint,
  management,
  async ({ caller, path }, reading) =>
    toResendWebhook(await findResendWebhook(path.id, caller.organizationId, reading)),
  renderManagementError,
);
