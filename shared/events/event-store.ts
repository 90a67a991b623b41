import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { eventKey } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import type { FeedbackId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import { type Event, eventSchema } from './event.ts';

/** An event as a provider reports it: always of one of its messages. */
export type ProviderEvent = Event & { readonly providerMessageId: string };

const isNew = 'attribute_not_exists(pk)';

/** The table item of an event, keyed so that (providerMessageId, type) can stand only once. */
export const toEventItem = (feedbackId: FeedbackId, event: ProviderEvent): StoredItem => ({
  ...eventKey(feedbackId, event.type, event.providerMessageId),
  ...event,
});

/**
 * Records the event unless it is recorded already; answers whether it was new.
 *
 * @param deliveries the webhook outbox rows of the event: stored with it or not at all.
 */
export async function putNewEvent(
  table: Table,
  feedbackId: FeedbackId,
  event: ProviderEvent,
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const put = {
    TableName: table.name,
    Item: toEventItem(feedbackId, event),
    ConditionExpression: isNew,
  };
  if (deliveries.length > 0) {
    const outcome = await transactWrite(table, [{ Put: put }, ...putDeliveries(table, deliveries)]);
    return outcome.committed;
  }
  try {
    await table.client.send(new PutCommand(put));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

const engagementSchema = z.extend(eventSchema, {
  hits: z.int(),
  /** When the first hit came that was not a machine's. */
  personTs: z.optional(z.int()),
});

/** @throws ZodError when the stored item is not an event. */
export function toEvent(item: StoredItem): Event {
  if (item['hits'] === undefined) return eventSchema.parse(item);
  const { personTs, ts, ...event } = engagementSchema.parse(item);
  return { ...event, ts: personTs ?? ts, machine: personTs === undefined };
}
