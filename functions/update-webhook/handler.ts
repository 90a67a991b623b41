import { parseEnvironment, webhookUrlEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { updateWebhook } from './update-webhook.ts';

const environment = parseEnvironment(webhookUrlEnvironment);
const management = {
  ...openWebhookManagement(openTable(environment.TABLE_NAME)),
  urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
};

export const handler = jsonEndpoint(async ({ readBody, headers, pathParameters }) => {
  const webhook = await updateWebhook(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).id,
    () => parseBody(endpoint.body, readBody()),
    management,
  );
  return jsonResponse(endpoint.answers[200].body.parse(toWebhookView(webhook, management.now())));
});
