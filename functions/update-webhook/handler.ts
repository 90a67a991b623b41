import { parseEnvironment, webhookUrlEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { updateWebhook } from '#shared/webhooks/change-webhooks';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(webhookUrlEnvironment);
const management = {
  ...openWebhookManagement(openTable(environment.TABLE_NAME)),
  urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
};

export const handler = serve(endpoint, management, async (request, changing) =>
  toWebhookView(await updateWebhook(request, changing), changing.now()),
);
