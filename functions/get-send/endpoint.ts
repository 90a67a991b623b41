import * as z from 'zod/mini';
import { deliveryStatuses } from '#shared/deliveries/delivery';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { eventSchema } from '#shared/events/event';
import { exampleSend } from '#shared/sending/send-reference';
import { messageSchema } from '#shared/sends/message';
import { sendViewSchema } from '#shared/sends/send-view';
import { feedbackIdSchema, sendIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/sends/{id}',
  access: { key: 'optional', scope: 'read_sends', orWithoutScopes: true },
  path: z.object({ id: sendIdSchema }),
  unmatchedPath: 'send_not_found',
  answers: {
    200: {
      body: z.object({
        /** With the name that the log has for it: the log holds no id by which a send can be read. */
        send: z.extend(sendViewSchema, { feedbackId: feedbackIdSchema }),
        messages: z.array(messageSchema),
        events: z.array(eventSchema),
        /** What webhook endpoints were told: one entry for each delivery. */
        webhooks: z.array(
          z.object({
            endpointId: z.string(),
            type: z.string(),
            status: z.enum(deliveryStatuses),
            attempts: z.int(),
            lastStatusCode: z.optional(z.int()),
          }),
        ),
      }),
      description: 'The send and its timeline.',
      example: {
        send: { ...exampleSend, feedbackId: exampleIds.feedback },
        messages: [
          {
            sendId: exampleIds.send,
            provider: 'ses',
            fromEmail: 'hello@northwind.example',
            toEmail: 'ann@example.com',
            feedbackId: exampleIds.feedback,
            providerMessageId: '0100018c2f6b6e5c-1f8b6a0e-000000',
            createdAt: exampleTime + 240,
          },
        ],
        events: [
          {
            type: 'sent',
            ts: exampleTime + 240,
            providerMessageId: '0100018c2f6b6e5c-1f8b6a0e-000000',
          },
          {
            type: 'delivered',
            ts: exampleTime + 1_900,
            providerMessageId: '0100018c2f6b6e5c-1f8b6a0e-000000',
          },
          { type: 'opened', ts: exampleTime + 60_000, hits: 1, machine: false },
        ],
        webhooks: [
          {
            endpointId: exampleIds.webhook,
            type: 'email.delivered',
            status: 'delivered',
            attempts: 1,
            lastStatusCode: 204,
          },
        ],
      },
    },
  },
  errors: ['send_not_found'],
  lambda: { stack: 'Account', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Sends',
    summary: 'Read a send and what became of it',
    description:
      'Answers the send, its messages, its timeline, and what webhook endpoints were told. A key with the scope `read_sends` reads every send of its organization. A send that was made with a key without scopes is also readable with such a key, or by its id alone, unless the organization has turned `keylessReading` off: then only the key that made it and keys with `read_sends` read it.',
    fields: {
      status:
        '`sending`: an attempt is under way or in doubt. `sent`: SES took it. `suppressed`: no email went out. `failed`: see `failureReason`.',
      createdAt: 'When the send was made, in epoch milliseconds.',
      'send.attempts': 'The attempts that failed before this state, oldest first.',
      'send.attempts.at': 'When the failure was known, in epoch milliseconds.',
      'send.attempts.reason': 'SES’s name for the failure, for example `MessageRejected`, or ours.',
      'send.feedbackId': 'What the log calls the send.',
      'messages.createdAt': 'When SES took the message, in epoch milliseconds.',
      'webhooks.status': 'Where the delivery stands.',
      'webhooks.attempts': 'How many attempts were made.',
      'webhooks.type': 'The type of the message.',
    },
    example: { path: { id: exampleIds.send } },
  },
});
