import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  changedAttributes,
  changesNothing,
  updateExpressionOf,
} from '#shared/table/attribute-change';
import { readItem } from '#shared/table/reads';
import { eventKey } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { type FeedbackId, slotIdIn } from '#shared/tokens/resource-id';
import { type Event, eventSchema } from './event.ts';
import { mergeEvents } from './merge-events.ts';

/** Always about one of the provider's messages. */
export type ProviderEvent = Event & { readonly providerMessageId: string };

const isNew = 'attribute_not_exists(pk)';

type EventItemMarks = {
  /** Marks a test email's event, which usage doesn't count. */
  readonly test?: true;
  /** Where a list finds it: `outcomeIndexKey`. */
  readonly gsi2pk?: string;
  readonly gsi2sk?: string;
};

export function openEventStore(table: Table) {
  /**
   * The key allows (providerMessageId, type) only once: a further report is merged into the event, and writes nothing
   * if it adds nothing. Another report or an erasure may come in between, so the second write requires the event as
   * read.
   *
   * @param expiresAt of the send and the event, epoch seconds.
   */
  async function record(
    feedbackId: FeedbackId,
    event: ProviderEvent,
    expiresAt: number,
    marks: EventItemMarks = {},
  ): Promise<void> {
    const key = eventKey(slotIdIn(feedbackId), event.type, event.providerMessageId);
    for (;;) {
      const put = new PutCommand({
        TableName: table.name,
        Item: { ...key, ...event, ...marks, expiresAt },
        ConditionExpression: isNew,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const outcome = await writeIf(() => table.client.send(put));
      if (outcome.written) return;
      const { existing } = outcome;
      if (existing && (await mergeInto(key, existing, event, marks))) return;
    }
  }

  /** @returns whether the event now contains the report. If not, it has changed in between. */
  async function mergeInto(
    key: StoredItem,
    item: StoredItem,
    reported: ProviderEvent,
    marks: EventItemMarks,
  ): Promise<boolean> {
    const existing = readItem('event', eventSchema, item);
    const change = {
      set: {
        ...changedAttributes(existing, mergeEvents(existing, reported)),
        ...changedAttributes(item, firstListing(item, marks)),
      },
      remove: [],
    };
    if (changesNothing(change)) return true;
    const update = updateExpressionOf(change);
    const isAsSeen = conditionOf(item);
    const merge = new UpdateCommand({
      TableName: table.name,
      Key: key,
      UpdateExpression: update.UpdateExpression,
      ConditionExpression: isAsSeen.expression,
      ExpressionAttributeNames: { ...update.ExpressionAttributeNames, ...isAsSeen.names },
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...isAsSeen.values },
    });
    const { written } = await writeIf(() => table.client.send(merge));
    return written;
  }

  return { record };
}

const listingSchema = z.object({ gsi2pk: z.string(), gsi2sk: z.string() });

/**
 * Doesn't depend on the order of reports: a permanent and a soft bounce of one message are listed as permanent, which
 * is alphabetically first, and two of a kind at the time of the earlier.
 */
function firstListing(item: StoredItem, marks: EventItemMarks): StoredItem {
  const reported = listingSchema.safeParse(marks).data;
  const existing = listingSchema.safeParse(item).data;
  if (reported === undefined || existing === undefined) return reported ?? {};
  const isSameList = reported.gsi2pk === existing.gsi2pk;
  const isFirst = isSameList
    ? reported.gsi2sk < existing.gsi2sk
    : reported.gsi2pk < existing.gsi2pk;
  return isFirst ? reported : {};
}

/** Whatever a merge or an erasure changes must be as read. */
function conditionOf(existing: StoredItem) {
  const mutable = ['ts', 'reason', 'recipients', 'gsi2pk', 'gsi2sk'];
  const isThere = (name: string) => existing[name] !== undefined;
  return {
    expression: mutable
      .map((name) => (isThere(name) ? `#${name} = :${name}` : `attribute_not_exists(#${name})`))
      .join(' AND '),
    names: Object.fromEntries(mutable.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(mutable.filter(isThere).map((name) => [`:${name}`, existing[name]])),
  };
}

const engagementSchema = z.extend(eventSchema, {
  hits: z.int(),
  personTs: z.optional(z.int()),
});

export function toEvent(item: StoredItem): Event {
  if (item['hits'] === undefined) return readItem('event', eventSchema, item);
  const { personTs, ts, ...event } = readItem('event', engagementSchema, item);
  return { ...event, ts: personTs ?? ts, machine: personTs === undefined };
}
