import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { createWebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { deleteWebhook } from './delete-webhook.ts';

const dependencies = createWebhookDependencies(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const id = pathParameters['id'] ?? '';
  await deleteWebhook(presentedCredential(headers), id, dependencies);
  return noContentResponse;
});
