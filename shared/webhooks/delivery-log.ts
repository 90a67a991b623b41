import * as z from 'zod/mini';
import { cursorOf, listPositionOf, timeAt } from '#shared/table/list-position';
import type { DeliveryId, WebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from './delivery.ts';

/** Where a delivery stands in its endpoint's log: its time, and what tells two of one moment apart. */
export const logPositionSchema = listPositionOf(
  z.string().check(z.regex(/^[a-z2-7]{16}$/)),
).brand<'LogPosition'>();
export type LogPosition = z.infer<typeof logPositionSchema>;

/** A cursor in a request. */
export const cursorSchema = cursorOf(logPositionSchema);

/** A delivery, as the log's index names it. */
export type LogEntry = { readonly id: DeliveryId; readonly position: LogPosition };

export type LogDependencies = {
  readonly now: () => number;
  /** At most `count` entries, newest first, of those before a position or of all. */
  readonly findLogEntries: (
    webhookId: WebhookId,
    before: LogPosition | undefined,
    count: number,
  ) => Promise<readonly LogEntry[]>;
  readonly getDeliveries: (
    ids: readonly DeliveryId[],
    now: number,
  ) => Promise<ReadonlyMap<DeliveryId, Delivery>>;
};

export type LogQuery = {
  readonly webhookId: WebhookId;
  readonly before?: LogPosition | undefined;
  /** Nothing created earlier, epoch milliseconds. */
  readonly since?: number | undefined;
  readonly limit: number;
  /** Absent: all do. */
  readonly matches?: (delivery: Delivery) => boolean;
};

export type LogPage = {
  /** Newest first; may be fewer than the limit, or none, though there are more. */
  readonly deliveries: readonly Delivery[];
  /** Where to go on; `undefined` at the end of the log. */
  readonly next: LogPosition | undefined;
};

/** What BatchGetItem takes. */
const batchSize = 100;
/** A search gives up for now after so many deliveries, and is gone on with in the next request. */
export const mostExamined = 500;

/** Reads an endpoint's log from the newest delivery back, and keeps those that match. */
export async function readDeliveryLog(
  { webhookId, before, since = 0, limit, matches }: LogQuery,
  { findLogEntries, getDeliveries, now }: LogDependencies,
): Promise<LogPage> {
  const found: Delivery[] = [];
  const size = matches === undefined ? Math.min(limit, batchSize) : batchSize;
  let last = before;
  for (let examined = 0; examined < mostExamined; examined += size) {
    // One more than is read: whether there is more is known without another request.
    const entries = await findLogEntries(webhookId, last, size + 1);
    const wanted = entries.filter(({ position }) => timeAt(position) >= since);
    const batch = wanted.slice(0, size);
    const deliveries = await getDeliveries(
      batch.map(({ id }) => id),
      now(),
    );
    for (const [index, { id, position }] of batch.entries()) {
      last = position;
      const delivery = deliveries.get(id);
      if (delivery !== undefined && (matches?.(delivery) ?? true)) found.push(delivery);
      const isFull = found.length === limit;
      if (isFull) return { deliveries: found, next: wanted.length > index + 1 ? last : undefined };
    }
    if (wanted.length <= size) return { deliveries: found, next: undefined };
  }
  return { deliveries: found, next: last };
}
