import { defineEndpoint } from '#shared/endpoints/endpoint';
import { managementDeclaration } from '#shared/resend/management';
import {
  eventPath,
  exampleEventPath,
  exampleWebhookEvent,
  findEvent,
  toWebhookEvent,
  webhookEventSchema,
  webhookEventWords,
} from '#shared/resend/webhook-events';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'GET /resend/webhooks/{id}/events/{eventId}',
    ...eventPath,
    answers: {
      200: {
        body: webhookEventSchema,
        description: 'The event, with its message.',
        example: exampleWebhookEvent,
      },
    },
    errors: ['webhook_not_found'],
    lambda: { stack: 'Resend', tableActions: ['GetItem'] },
    words: {
      section: 'Resend',
      summary: 'Read what a webhook endpoint got, as with Resend',
      description: 'One event of an endpoint of format `resend`, with its message.',
      fields: webhookEventWords,
      example: { path: exampleEventPath },
    },
  },
  async ({ caller, path }, service) =>
    toWebhookEvent(await findEvent(path, caller.organizationId, service)),
);
