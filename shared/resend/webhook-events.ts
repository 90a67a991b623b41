import * as z from 'zod/mini';
import { pathTo } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { isResendEvent, resendEventNames } from '#shared/organizations/webhook-subscriptions';
import type { Table, TableAndClock } from '#shared/table/table-client';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import {
  type DeliveryId,
  deliveryIdSchema,
  type OrganizationId,
  organizationIdOf,
  ownId,
  type WebhookId,
  webhookIdSchema,
} from '#shared/tokens/resource-id';
import { type Delivery, messageTypes } from '#shared/webhook-deliveries/delivery';
import { type LogPosition, logPositionOf } from '#shared/webhook-deliveries/delivery-log-store';
import { getDelivery } from '#shared/webhook-deliveries/delivery-store';
import type { Webhook } from '#shared/webhooks/webhook';
import { resendList, resendPageFields, unknownEntry } from './list-page.ts';
import { resendTime, resendTimeSchema } from './management.ts';
import { findResendWebhook } from './webhooks.ts';

export const eventPath = pathTo(
  { id: webhookIdSchema, eventId: deliveryIdSchema },
  'delivery_not_found',
);
type EventPath = { readonly id: WebhookId; readonly eventId: DeliveryId };

/** Resend's client has no `before` here. */
const { limit, after } = resendPageFields;
export const eventPageFields = { limit, after };

export async function findEvent(
  { id, eventId }: EventPath,
  organizationId: OrganizationId,
  { table, now }: TableAndClock,
): Promise<Delivery> {
  const webhook = await findResendWebhook(table, id, organizationId);
  const delivery = await findDeliveryOf(table, webhook, eventId, now());
  if (delivery === undefined) throw new ServiceError('delivery_not_found');
  return delivery;
}

/**
 * Where the list continues.
 *
 * @throws ServiceError `validation_failed`
 */
export async function positionAfter(
  event: string,
  webhook: Webhook,
  { table, now }: TableAndClock,
): Promise<LogPosition> {
  const id = z.safeParse(deliveryIdSchema, event).data;
  const delivery = id && (await findDeliveryOf(table, webhook, id, now()));
  if (delivery === undefined) throw unknownEntry('after');
  return logPositionOf(delivery);
}

async function findDeliveryOf(
  table: Table,
  webhook: Webhook,
  id: DeliveryId,
  now: number,
): Promise<Delivery | undefined> {
  const own = ownId(id, organizationIdOf(webhook.id));
  const delivery = own && (await getDelivery(table, own, now));
  return delivery?.webhookId === webhook.id ? delivery : undefined;
}

const nameOf = (type: Delivery['type']) => (isResendEvent(type) ? resendEventNames[type] : type);

export const listedEventSchema = z.object({
  id: deliveryIdSchema,
  type: z.union([z.enum(messageTypes.map(nameOf)), z.string()]),
  created_at: resendTimeSchema,
  status: z.enum(['success', 'pending', 'failed', 'attempting']),
});

export const webhookEventSchema = z.object({
  object: z.literal('webhook_event'),
  ...listedEventSchema.shape,
  next_attempt_at: z.nullable(resendTimeSchema),
  payload: z.record(z.string(), z.unknown()),
});

export const replaySchema = z.object({ object: z.literal('webhook_event'), id: deliveryIdSchema });

export const resendAttemptSchema = z.object({
  id: z.string(),
  http_status_code: z.int(),
  response: z.string(),
  sent_at: resendTimeSchema,
});

export const toListedEvent = (delivery: Delivery) => ({
  id: delivery.id,
  type: nameOf(delivery.type),
  created_at: resendTime(delivery.createdAt),
  status: statusOf(delivery),
});

function statusOf({ status, attemptsStarted }: Delivery) {
  if (status === 'delivered') return 'success' as const;
  if (status === 'failed') return 'failed' as const;
  return attemptsStarted === 0 ? ('pending' as const) : ('attempting' as const);
}

const bodySchema = z.record(z.string(), z.unknown());

export const toWebhookEvent = (delivery: Delivery) => ({
  object: 'webhook_event' as const,
  ...toListedEvent(delivery),
  next_attempt_at: delivery.status === 'pending' ? resendTime(delivery.dueAt) : null,
  payload: bodySchema.parse(JSON.parse(delivery.body)),
});

/** Without an answer, the status is 0, with the reason. */
export const toAttempts = ({ id, attempts }: Delivery) =>
  attempts.map(({ at, statusCode = 0, answer, error = '' }) => ({
    id: `${id}-${at}`,
    http_status_code: statusCode,
    response: answer ?? error,
    sent_at: resendTime(at),
  }));

export const webhookEventWords = {
  id: 'The ID of the webhook endpoint. In an answer, that of the event.',
  'data.id': 'The ID of the event.',
  eventId: 'The ID of the event.',
  type: 'What happened, by Resend’s name.',
  status:
    '`pending` before the first attempt, `attempting` between attempts, then `success` or `failed`.',
  next_attempt_at: 'When the next attempt may begin, in ISO 8601, or `null`.',
  payload: 'The message.',
  limit: 'At most how many.',
  after: 'The ID of an entry: the list begins after it.',
} as const;

export const attemptWords = {
  id: 'The ID of the webhook endpoint.',
  'data.id': 'The ID of the attempt.',
  eventId: webhookEventWords.eventId,
  http_status_code: 'The receiver’s status, or 0 if it did not answer.',
  response: 'The first 1 KB of its answer, or why there was none.',
  sent_at: 'When it was tried, in ISO 8601.',
  limit: webhookEventWords.limit,
  after: webhookEventWords.after,
} as const;

const exampleListed = {
  id: exampleIds.delivery,
  type: 'email.bounced',
  created_at: resendTime(exampleTime),
  status: 'success',
} as const;
export const exampleEventPath = { id: exampleIds.webhook, eventId: exampleIds.delivery };
export const exampleWebhookEvents = resendList([exampleListed], false);
export const exampleWebhookEvent = {
  object: 'webhook_event',
  ...exampleListed,
  next_attempt_at: null,
  payload: {
    type: 'email.bounced',
    created_at: resendTime(exampleTime),
    data: { email_id: exampleIds.send },
  },
} as const;
export const exampleReplay = { object: 'webhook_event', id: exampleIds.delivery } as const;
export const exampleAttempts = resendList(
  [
    {
      id: `${exampleIds.delivery}-${exampleTime}`,
      http_status_code: 204,
      response: '',
      sent_at: resendTime(exampleTime),
    },
  ],
  false,
);
