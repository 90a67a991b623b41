import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { createWebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { toWebhookView } from '#shared/webhooks/manage-fields';
import { getWebhook } from './get-webhook.ts';
import { responseSchema } from './schema.ts';

const dependencies = createWebhookDependencies(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const id = pathParameters['id'] ?? '';
  const webhook = await getWebhook(presentedCredential(headers), id, dependencies);
  return jsonResponse(responseSchema.parse(toWebhookView(webhook)));
});
