import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sendPath } from '#shared/endpoints/resource-paths';
import { eventSchema } from '#shared/events/event';
import { readingScopes, readTimeline } from '#shared/send-history/admit-timeline-reader';
import {
  explainEvent,
  explainRecipients,
  explainTimeline,
} from '#shared/send-history/explain-send';
import { messageSchema } from '#shared/send-history/message';
import { outcomes } from '#shared/send-history/outcome';
import { sendViewSchema, toSendView } from '#shared/send-history/send-view';
import type { Timeline } from '#shared/send-history/timeline-store';
import { exampleDelivered, verdictSchema } from '#shared/send-history/verdict';
import { exampleSend, sendFields } from '#shared/sending/send-reference';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { apiKeyIdSchema, feedbackIdSchema } from '#shared/tokens/resource-id';
import { deliveryStatuses } from '#shared/webhook-deliveries/delivery';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/sends/{id}',
    access: { key: 'optional', scope: readingScopes, orWithoutScopes: true, takesTestKeys: true },
    ...sendPath,
    answers: {
      200: {
        body: z.object({
          /** Logs name the send by its feedback id: they contain no id that opens it. */
          send: z.extend(sendViewSchema, {
            feedbackId: feedbackIdSchema,
            apiKeyId: z.optional(apiKeyIdSchema),
          }),
          verdict: verdictSchema,
          recipients: z.array(
            z.object({
              email: z.string(),
              field: z.enum(['to', 'cc', 'bcc']),
              outcome: z.enum(outcomes),
              verdict: verdictSchema,
            }),
          ),
          messages: z.array(messageSchema),
          events: z.array(z.extend(eventSchema, { verdict: z.optional(verdictSchema) })),
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
          send: { ...exampleSend, feedbackId: exampleIds.feedback, apiKeyId: exampleIds.apiKey },
          verdict: exampleDelivered,
          recipients: [
            {
              email: 'ann@example.com',
              field: 'to',
              outcome: 'opened',
              verdict: exampleDelivered,
            },
          ],
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
    admitsInOperation: true,
    lambda: { stack: 'Account', tableActions: ['GetItem', 'Query'] },
    words: {
      section: 'Sends',
      summary: 'Read a send and its timeline',
      description:
        'Returns the send, its messages, its events and its webhook deliveries. A key with `read_sends` or `emails_read` can read every send of its organization. A send created with a key without scopes can also be read with that key. If the organization turns on `keylessReading`, any such key can read it, and so can anyone who has its ID: they see the recipients’ addresses and the subject.',
      fields: {
        ...sendFields('send'),
        'send.feedbackId': 'The ID of the send in logs and in SES.',
        'send.apiKeyId':
          'The API key that made the last attempt. Left out when the send is read without a key.',
        recipients:
          'Each recipient, with what became of the email for them. Erased people are left out.',
        'recipients.field': 'Where the email names them.',
        'recipients.outcome':
          'What became of it for this recipient, in the terms of `outcome` in the list of sends.',
        'recipients.verdict': 'What became of it for this recipient, and what to do next.',
        'events.verdict': 'What a bounce, a complaint or a delay means.',
        'messages.createdAt': 'When SES accepted the message, in epoch milliseconds.',
        'webhooks.status': 'The status of the delivery.',
        'webhooks.attempts': 'The number of attempts so far.',
        'webhooks.type': 'The type of the webhook message.',
      },
      example: { path: { id: exampleIds.send } },
    },
  },
  async (request, capability) => {
    const { credential, pathParameters } = request;
    const timeline = await readTimeline(request, pathParameters['id'], capability);
    const answer = toAnswer(timeline, capability.now());
    const apiKeyId = credential === undefined ? undefined : timeline.send.apiKeyId;
    return { ...answer, send: { ...answer.send, apiKeyId } };
  },
);

export const toAnswer = ({ send, messages, events, deliveries }: Timeline, now: number) => ({
  send: toSendView(send, now),
  verdict: explainTimeline(send, events, now),
  recipients: explainRecipients(send, events, now),
  messages: [...messages],
  events: events.map((event) => ({ ...event, verdict: explainEvent(event) })),
  webhooks: deliveries.map(({ webhookId, type, status, attempts }) => ({
    endpointId: webhookId,
    type,
    status,
    attempts: attempts.length,
    lastStatusCode: attempts.at(-1)?.statusCode,
  })),
});
