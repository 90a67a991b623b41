import * as z from 'zod/mini';
import {
  limitsEnvironment,
  parseEnvironment,
  webhookUrlEnvironment,
} from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { createWebhook } from './create-webhook.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(z.extend(webhookUrlEnvironment, limitsEnvironment.shape));
const management = {
  ...openWebhookManagement(openTable(environment.TABLE_NAME)),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
  urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
};

export const handler = jsonEndpoint(async ({ readBody, headers }) => {
  const webhook = await createWebhook(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    management,
  );
  return createdResponse(
    endpoint.answers[201].body.parse(toWebhookView(webhook, management.now())),
  );
});
