import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serve(endpoint, management, async (request, rotation) =>
  toWebhookView(await rotateWebhookSecret(request, rotation), rotation.now()),
);
