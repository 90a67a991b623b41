import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { deleteWebhook } from './delete-webhook.ts';
import { endpoint } from './endpoint.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serve(endpoint, management, deleteWebhook);
