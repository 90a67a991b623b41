import { serve } from '#shared/endpoints/serve';
import { createWebhook, openWebhookChanging } from '#shared/webhooks/change-webhooks';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openWebhookChanging, async (request, creating) =>
  toWebhookView(await createWebhook(request, creating), creating.now()),
);
