import * as z from 'zod/mini';
import {
  limitsEnvironment,
  parseEnvironment,
  webhookUrlEnvironment,
} from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import { toNewWebhook } from '#shared/resend/webhooks';
import { openTable } from '#shared/table/table-client';
import { createWebhook } from '#shared/webhooks/change-webhooks';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(z.extend(webhookUrlEnvironment, limitsEnvironment.shape));
const management = {
  ...openWebhookManagement(openTable(environment.TABLE_NAME)),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
  urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
};

export const handler = serveResend(endpoint, management, async ({ caller, body }, creation) => {
  const { id, secret } = await createWebhook({ caller, body: toNewWebhook(body) }, creation);
  return { object: 'webhook' as const, id, signing_secret: secret };
});
