import { serve } from '#shared/endpoints/serve';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { findWebhook, openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  openWebhookManagement,
  async ({ caller, path }, { webhooks, now }) =>
    toWebhookView(await findWebhook(path.id, caller.organizationId, webhooks), now()),
);
