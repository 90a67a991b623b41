import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { createWebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { toWebhookView } from '#shared/webhooks/manage-fields';
import { listWebhooks } from './list-webhooks.ts';
import { responseSchema } from './schema.ts';

const dependencies = createWebhookDependencies(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers }) => {
  const webhooks = await listWebhooks(presentedCredential(headers), dependencies);
  return jsonResponse(responseSchema.parse({ data: webhooks.map(toWebhookView) }));
});
