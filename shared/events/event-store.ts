import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { writeIf } from '#shared/table/condition-failure';
import { eventKey } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type FeedbackId, slotIdIn } from '#shared/tokens/resource-id';
import { type Event, eventSchema } from './event.ts';

/** An event as a provider reports it: always of one of its messages. */
export type ProviderEvent = Event & { readonly providerMessageId: string };

const isNew = 'attribute_not_exists(pk)';

/**
 * Records the event unless it is recorded already: its key allows (providerMessageId, type) only once.
 *
 * @param expiresAt when the send is forgotten, and the event with it: epoch seconds.
 */
export async function putNewEvent(
  table: Table,
  feedbackId: FeedbackId,
  event: ProviderEvent,
  expiresAt: number,
): Promise<void> {
  const put = new PutCommand({
    TableName: table.name,
    Item: {
      ...eventKey(slotIdIn(feedbackId), event.type, event.providerMessageId),
      ...event,
      expiresAt,
    },
    ConditionExpression: isNew,
  });
  await writeIf(() => table.client.send(put));
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

export const openEventStore = (table: Table) => ({
  putNew: (feedbackId: FeedbackId, event: ProviderEvent, expiresAt: number) =>
    putNewEvent(table, feedbackId, event, expiresAt),
});
export type EventStore = ReturnType<typeof openEventStore>;
