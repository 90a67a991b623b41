import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageOf, resendListSchema } from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';
import {
  attemptWords,
  eventPageFields,
  eventPath,
  exampleAttempts,
  exampleEventPath,
  findEvent,
  resendAttemptSchema,
  toAttempts,
} from '#shared/resend/webhook-events';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'GET /resend/webhooks/{id}/events/{eventId}/attempts',
    ...eventPath,
    query: z.strictObject(eventPageFields),
    answers: {
      200: {
        body: resendListSchema(resendAttemptSchema),
        description: 'The attempts, oldest first.',
        example: exampleAttempts,
      },
    },
    errors: ['webhook_not_found'],
    lambda: { stack: 'Resend', tableActions: ['GetItem'] },
    words: {
      section: 'Resend',
      summary: 'List the attempts at an event, as with Resend',
      description: 'What the receiver answered, oldest first. Without a `limit`, all of them.',
      fields: attemptWords,
      example: { path: exampleEventPath, query: { limit: '20' } },
    },
  },
  async ({ caller, path, query }, service) =>
    pageOf(toAttempts(await findEvent(path, caller.organizationId, service)), query),
);
