import { requestQuotas } from '#shared/config/request-quotas';
import { unsentStatuses } from '#shared/config/unsent-statuses';
import { contactSortKey, dayQuotaSortKeyPrefix } from '#shared/table/keys';
import { eventSortKeyPrefix, messageSortKeyPrefix, sendSortKey } from '#shared/table/send-keys';
import { tableAttributes } from '#shared/table/table-attributes';

/** A pattern that a stream's record must match (Lambda guide, "Filter rule syntax"). */
export type FilterPattern = { readonly [name: string]: FilterPattern | readonly FilterTest[] };
export type FilterTest = string | { readonly prefix: string } | { readonly exists: boolean };

export type TableStreamSettings = {
  /**
   * A record that matches any of them invokes the function. For DynamoDB, Lambda filters only below `dynamodb` (Lambda
   * guide, "with-ddb-filtering").
   */
  readonly filters: readonly FilterPattern[];
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly tumblingWindowSeconds?: number;
  /** Splits a failed batch until the failing record is alone. Only for records that may come in any order. */
  readonly splitsFailedBatches?: boolean;
};

/**
 * How long a failed batch is retried before it goes to a dead-letter queue: an hour less than the stream keeps its
 * records, so that those given up are reported.
 */
export const maxRecordAgeHours = 23;

const { sortKey } = tableAttributes;
const isSend = { [sortKey]: { S: [sendSortKey] } };
const startsWith = (prefixes: readonly string[]) => ({
  [sortKey]: { S: prefixes.map((prefix) => ({ prefix })) },
});
const counted = startsWith([
  eventSortKeyPrefix,
  messageSortKeyPrefix,
  ...Object.keys(requestQuotas).map(dayQuotaSortKeyPrefix),
]);
/** SES accepted it, or it was never sent. */
const hasEnded = { status: { S: ['sent', ...unsentStatuses] } };
const isThere = { N: [{ exists: true }] };
/** No other item has an action. */
const isAuditEntry = { action: { S: [{ exists: true }] } };

/**
 * count-usage gets records that may count: sends that have ended or got a delivery or open, events, further messages,
 * uses of a daily limit and audit entries, but not its own writes. A mapping takes five filters (Lambda quotas). The
 * function decides what's new, because a wrong filter would silently count nothing.
 */
export const usageStream = {
  filters: [
    { dynamodb: { Keys: isSend, NewImage: hasEnded } },
    { dynamodb: { Keys: isSend, NewImage: { deliveredAt: isThere } } },
    { dynamodb: { Keys: isSend, NewImage: { opens: isThere } } },
    { dynamodb: { Keys: counted } },
    { dynamodb: { NewImage: isAuditEntry } },
  ],
  /** Stays far below an invocation's 6 MB, unless each send has fifty recipients. */
  batchSize: 1_000,
  /** An organization's counters are written at most this often. */
  batchingWindowSeconds: 20,
  /**
   * Only used because a window brings the shard's name, without which records have no order to count by. Lambda's
   * maximum, as each window ends with an extra invocation.
   */
  tumblingWindowSeconds: 900,
} as const satisfies TableStreamSettings;

/** index-contacts gets every change to a contact, and decides which contacts are new. */
export const contactStream = {
  filters: [{ dynamodb: { Keys: { [sortKey]: { S: [contactSortKey] } } } }],
  batchSize: 1_000,
  batchingWindowSeconds: 5,
  splitsFailedBatches: true,
} as const satisfies TableStreamSettings;
