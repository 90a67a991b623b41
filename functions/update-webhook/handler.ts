import { serve } from '#shared/endpoints/serve';
import { openWebhookChanging, updateWebhook } from '#shared/webhooks/change-webhooks';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openWebhookChanging, async (request, changing) =>
  toWebhookView(await updateWebhook(request, changing), changing.now()),
);
