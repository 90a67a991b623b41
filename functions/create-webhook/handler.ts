import { parseEnvironment } from '#shared/config/environment';
import { webhookUrlEnvironment } from '#shared/config/webhook-environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/request-body';
import { createWebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { toWebhookView } from '#shared/webhooks/manage-fields';
import { checkWebhookUrl } from '#shared/webhooks/webhook-url';
import { createWebhook } from './create-webhook.ts';
import { requestSchema, responseSchema } from './schema.ts';

const environment = parseEnvironment(webhookUrlEnvironment);
const policy = { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP };
const dependencies = {
  ...createWebhookDependencies(environment),
  checkUrl: (url: string) => checkWebhookUrl(url, policy),
};

export const handler = jsonEndpoint(async ({ body, headers }) => {
  const webhook = await createWebhook(
    presentedCredential(headers),
    () => parseBody(requestSchema, body),
    dependencies,
  );
  return createdResponse(responseSchema.parse(toWebhookView(webhook)));
});
