import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openTable } from '#shared/table/table-client';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { listWebhooks } from './list-webhooks.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers }) => {
  const webhooks = await listWebhooks(presentedCredential(headers), management);
  const now = management.now();
  const data = webhooks.map((webhook) => toWebhookView(webhook, now));
  return jsonResponse(endpoint.answers[200].body.parse({ data }));
});
