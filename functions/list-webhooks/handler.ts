import { serve } from '#shared/endpoints/serve';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  openWebhookManagement,
  async ({ caller }, { webhooks, now }) => {
    const listed = await webhooks.list(caller.organizationId);
    return { data: listed.map((webhook) => toWebhookView(webhook, now())) };
  },
);
