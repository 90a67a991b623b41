import * as z from 'zod/mini';
import {
  limitsEnvironment,
  parseEnvironment,
  webhookUrlEnvironment,
} from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { createWebhook } from '#shared/webhooks/change-webhooks';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(z.extend(webhookUrlEnvironment, limitsEnvironment.shape));
const management = {
  ...openWebhookManagement(openTable(environment.TABLE_NAME)),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
  urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
};

export const handler = serve(endpoint, management, async (request, creation) =>
  toWebhookView(await createWebhook(request, creation), creation.now()),
);
