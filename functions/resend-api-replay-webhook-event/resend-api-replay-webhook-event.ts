import { defineEndpoint } from '#shared/endpoints/endpoint';
import { managementDeclaration } from '#shared/resend/management';
import {
  eventPath,
  exampleEventPath,
  exampleReplay,
  findEvent,
  replaySchema,
  webhookEventWords,
} from '#shared/resend/webhook-events';
import {
  redelivers,
  redeliverWebhookDelivery,
} from '#shared/webhook-deliveries/redeliver-webhook-delivery';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'POST /resend/webhooks/{id}/events/{eventId}/replay',
    ...eventPath,
    answers: {
      200: {
        body: replaySchema,
        description: 'The message is on its way again.',
        example: exampleReplay,
      },
    },
    errors: ['webhook_not_found', 'delivery_limit_reached'],
    uses: { wakeQueue: wakesWebhooks },
    lambda: { stack: 'Resend', ...redelivers },
    words: {
      section: 'Resend',
      summary: 'Send a message of a webhook endpoint again, as with Resend',
      description: 'As `POST /api/v1/webhooks/deliveries/{id}/redeliver`. It is a new event.',
      fields: webhookEventWords,
      example: { path: exampleEventPath },
    },
  },
  async ({ caller, path }, replaying) => {
    const { id } = await findEvent(path, caller.organizationId, replaying);
    const replay = await redeliverWebhookDelivery({ caller, path: { id } }, replaying);
    return { object: 'webhook_event' as const, id: replay.id };
  },
);
