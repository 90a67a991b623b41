import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { getWebhook } from './get-webhook.ts';
import { pathSchema, responseSchema } from './schema.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { id } = readPath(pathSchema, pathParameters);
  const webhook = await getWebhook(presentedCredential(headers), id, management);
  return jsonResponse(responseSchema.parse(toWebhookView(webhook, management.now())));
});
