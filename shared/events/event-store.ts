import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { changedAttributes } from '#shared/table/attribute-change';
import { isAsRead, isNew, onlyIf, updateIf } from '#shared/table/conditional-update';
import type { Key } from '#shared/table/keys';
import { readItem } from '#shared/table/reads';
import { eventKey } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { type FeedbackId, slotIdIn } from '#shared/tokens/resource-id';
import { type Event, eventSchema } from './event.ts';
import { mergeEvents } from './merge-events.ts';

/** Always about one of the provider's messages. */
export type ProviderEvent = Event & { readonly providerMessageId: string };

type EventItemMarks = {
  /** Marks a test email's event, which usage doesn't count. */
  readonly test?: true;
  /** Where a list finds it: `outcomeIndexKey`. */
  readonly gsi2pk?: string;
  readonly gsi2sk?: string;
};

/**
 * The key allows (providerMessageId, type) only once: a further report is merged into the event, and writes nothing if
 * it adds nothing. Another report or an erasure may come in between, so the second write requires the event as read.
 *
 * @param expiresAt of the send and the event, epoch seconds.
 */
export async function upsertEvent(
  table: Table,
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
      ...onlyIf(isNew),
    });
    const outcome = await writeIf(() => table.client.send(put));
    if (outcome.written) return;
    const { existing } = outcome;
    if (existing && (await mergeInto(table, key, existing, event, marks))) return;
  }
}

/** @returns whether the event now contains the report. If not, it has changed in between. */
async function mergeInto(
  table: Table,
  key: Key,
  item: StoredItem,
  reported: ProviderEvent,
  marks: EventItemMarks,
): Promise<boolean> {
  const existing = readItem('event', eventSchema, item);
  const set = {
    ...changedAttributes(existing, mergeEvents(existing, reported)),
    ...changedAttributes(item, firstListing(item, marks)),
  };
  if (Object.keys(set).length === 0) return true;
  const merge = new UpdateCommand({
    TableName: table.name,
    ...updateIf(key, { set }, isAsRead(item, mutable)),
  });
  const { written } = await writeIf(() => table.client.send(merge));
  return written;
}

/** What a merge or an erasure may change. */
const mutable = ['ts', 'reason', 'recipients', 'gsi2pk', 'gsi2sk'];

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

const engagementSchema = z.extend(eventSchema, {
  hits: z.int(),
  personTs: z.optional(z.int()),
});

export function toEvent(item: StoredItem): Event {
  if (item['hits'] === undefined) return readItem('event', eventSchema, item);
  const { personTs, ts, ...event } = readItem('event', engagementSchema, item);
  return { ...event, ts: personTs ?? ts, machine: personTs === undefined };
}
