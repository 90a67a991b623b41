import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { getWebhook } from './get-webhook.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { id } = readPath(endpoint.path, pathParameters);
  const webhook = await getWebhook(presentedCredential(headers), id, management);
  return jsonResponse(endpoint.answers[200].body.parse(toWebhookView(webhook, management.now())));
});
