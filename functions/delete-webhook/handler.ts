import { serve } from '#shared/endpoints/serve';
import { deleteWebhook } from '#shared/webhooks/change-webhooks';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openWebhookManagement, deleteWebhook);
