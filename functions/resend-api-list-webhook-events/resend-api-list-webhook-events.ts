import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { resendList, resendListSchema } from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';
import {
  eventPageFields,
  exampleWebhookEvents,
  listedEventSchema,
  positionAfter,
  toListedEvent,
  webhookEventWords,
} from '#shared/resend/webhook-events';
import { findResendWebhook } from '#shared/resend/webhooks';
import { exampleIds } from '#shared/tokens/example-values';
import { readDeliveryLog } from '#shared/webhook-deliveries/delivery-log-store';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'GET /resend/webhooks/{id}/events',
    ...webhookPath,
    query: z.strictObject(eventPageFields),
    answers: {
      200: {
        body: resendListSchema(listedEventSchema),
        description: 'A page of events, newest first.',
        example: exampleWebhookEvents,
      },
    },
    lambda: {
      stack: 'Resend',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Resend',
      summary: 'List what a webhook endpoint got, as with Resend',
      description: 'Each delivery is an event here, so replays are listed as well.',
      fields: webhookEventWords,
      example: { path: { id: exampleIds.webhook }, query: { limit: '20' } },
    },
  },
  async ({ caller, path, query }, service) => {
    const webhook = await findResendWebhook(service.table, path.id, caller.organizationId);
    const { limit = 20, after } = query;
    const before = after === undefined ? undefined : await positionAfter(after, webhook, service);
    const { deliveries, next } = await readDeliveryLog(
      service.table,
      { webhookId: webhook.id, before, limit },
      service.now(),
    );
    return resendList(deliveries.map(toListedEvent), next !== undefined);
  },
);
