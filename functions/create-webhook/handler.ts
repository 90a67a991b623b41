import { serve } from '#shared/endpoints/serve';
import { createWebhook, openWebhookCreation } from '#shared/webhooks/change-webhooks';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { endpoint } from './endpoint.ts';

const creation = openWebhookCreation();

export const handler = serve(endpoint, creation, async (request, creating) =>
  toWebhookView(await createWebhook(request, creating), creating.now()),
);
