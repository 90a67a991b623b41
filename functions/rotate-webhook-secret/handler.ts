import { serve } from '#shared/endpoints/serve';
import { rotateWebhookSecret } from '#shared/webhooks/rotate-webhook-secret';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openWebhookManagement, async (request, rotation) =>
  toWebhookView(await rotateWebhookSecret(request, rotation), rotation.now()),
);
