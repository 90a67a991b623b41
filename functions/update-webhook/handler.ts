import { serve } from '#shared/endpoints/serve';
import { updateWebhook } from '#shared/webhooks/change-webhooks';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  (table, environment) => ({
    ...openWebhookManagement(table),
    urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
  }),
  async (request, changing) =>
    toWebhookView(await updateWebhook(request, changing), changing.now()),
);
