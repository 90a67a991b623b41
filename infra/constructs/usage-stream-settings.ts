import { eventSortKeyPrefix, messageSortKeyPrefix, sendSortKey } from '#shared/table/send-keys';
import { tableAttributes } from '#shared/table/table-attributes';

/** A pattern that a stream's record must match (Lambda guide, "Filter rule syntax"). */
export type FilterPattern = { readonly [name: string]: FilterPattern | readonly FilterTest[] };
export type FilterTest = string | { readonly prefix: string };

const { sortKey } = tableAttributes;
const isSend = { [sortKey]: { S: [sendSortKey] } };
const isEvent = { [sortKey]: { S: [{ prefix: eventSortKeyPrefix }] } };
const isFurtherMessage = { [sortKey]: { S: [{ prefix: messageSortKeyPrefix }] } };
const isSent = { status: { S: ['sent'] } };

/**
 * What may count, and so is worth an invocation: a send that is `sent`, an event, a further message. The
 * function's own writes, above all, are none. Whether it is so for the first time is left to the function:
 * a filter that is wrong counts nothing, and says nothing.
 *
 * On DynamoDB, Lambda filters by what stands under `dynamodb` alone (Lambda guide,
 * "with-ddb-filtering").
 */
export const usageFilters: readonly FilterPattern[] = [
  { dynamodb: { Keys: isSend, NewImage: isSent } },
  { dynamodb: { Keys: isEvent } },
  { dynamodb: { Keys: isFurtherMessage } },
];

/** How the table's stream is handed to count-usage. */
export const usageStreamSettings = {
  /** Far fewer than fill the 6 MB of an invocation, unless each has fifty recipients. */
  batchSize: 1_000,
  /** Figures are late by so much, and an organization's counters are written so often at most. */
  batchingWindowSeconds: 20,
  /**
   * Only for what a window brings with it: the name of the shard, without which records have no order to
   * count by. The longest that Lambda has, as each one ends in an invocation of its own.
   */
  tumblingWindowSeconds: 900,
  /**
   * An hour less than the stream keeps its records: those that are given up are then reported, and
   * not just gone.
   */
  maxRecordAgeHours: 23,
} as const;
