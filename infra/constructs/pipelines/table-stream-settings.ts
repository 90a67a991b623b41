import { contactSortKey } from '#shared/table/contact-keys';
import { eventSortKeyPrefix, messageSortKeyPrefix, sendSortKey } from '#shared/table/send-keys';
import { tableAttributes } from '#shared/table/table-attributes';

/** A pattern that a stream's record must match (Lambda guide, "Filter rule syntax"). */
export type FilterPattern = { readonly [name: string]: FilterPattern | readonly FilterTest[] };
export type FilterTest = string | { readonly prefix: string } | { readonly exists: boolean };

/** How the table's stream is handed to a function. */
export type TableStreamSettings = {
  /**
   * What is worth an invocation: a record that matches one of them. On DynamoDB, Lambda filters by what
   * stands under `dynamodb` alone (Lambda guide, "with-ddb-filtering").
   */
  readonly filters: readonly FilterPattern[];
  readonly batchSize: number;
  /** The function is late by so much. */
  readonly batchingWindowSeconds: number;
  readonly tumblingWindowSeconds?: number;
  /** A batch that fails is split, until the record that fails is alone. Only for what may come in any order. */
  readonly splitsFailedBatches?: boolean;
};

/**
 * A batch that fails is tried again for so long, then it goes to a dead-letter queue: `table-stream-trigger.ts`. It is
 * an hour less than the stream keeps its records: those that are given up are reported, and not just gone.
 */
export const maxRecordAgeHours = 23;

const { sortKey } = tableAttributes;
const isSend = { [sortKey]: { S: [sendSortKey] } };
const isEvent = { [sortKey]: { S: [{ prefix: eventSortKeyPrefix }] } };
const isFurtherMessage = { [sortKey]: { S: [{ prefix: messageSortKeyPrefix }] } };
const isSent = { status: { S: ['sent'] } };
const isThere = { N: [{ exists: true }] };

/**
 * To count-usage goes what may count: a send that is `sent`, or of which something was heard, an event, a further
 * message. The function's own
 * writes, above all, are none. Whether it is so for the first time is left to the function: a filter that is
 * wrong counts nothing, and says nothing.
 */
export const usageStream = {
  filters: [
    { dynamodb: { Keys: isSend, NewImage: isSent } },
    { dynamodb: { Keys: isSend, NewImage: { deliveredAt: isThere } } },
    { dynamodb: { Keys: isSend, NewImage: { opens: isThere } } },
    { dynamodb: { Keys: isEvent } },
    { dynamodb: { Keys: isFurtherMessage } },
  ],
  /** Far fewer than fill the 6 MB of an invocation, unless each has fifty recipients. */
  batchSize: 1_000,
  /** An organization's counters are written so often at most. */
  batchingWindowSeconds: 20,
  /**
   * Only for what a window brings with it: the name of the shard, without which records have no order to
   * count by. The longest that Lambda has, as each one ends in an invocation of its own.
   */
  tumblingWindowSeconds: 900,
} as const satisfies TableStreamSettings;

/** To index-contacts goes every change of a contact. It looks itself which of them are new. */
export const contactStream = {
  filters: [{ dynamodb: { Keys: { [sortKey]: { S: [contactSortKey] } } } }],
  batchSize: 1_000,
  batchingWindowSeconds: 5,
  splitsFailedBatches: true,
} as const satisfies TableStreamSettings;
