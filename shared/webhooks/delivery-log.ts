import * as z from 'zod/mini';
import { cursorOf, listPositionOf, timeAt } from '#shared/table/list-position';
import type { DeliveryId, WebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from './delivery.ts';
import type { DeliveryLogStore } from './delivery-log-store.ts';

/** The position of a delivery in the log of its endpoint: its time, and a part that breaks ties. */
export const logPositionSchema = listPositionOf(
  z.string().check(z.regex(/^[a-z2-7]{16}$/)),
).brand<'LogPosition'>();
export type LogPosition = z.infer<typeof logPositionSchema>;

/** A cursor in a request. */
export const cursorSchema = cursorOf(logPositionSchema);

/** A delivery, as the index of the log holds it. */
export type LogEntry = { readonly id: DeliveryId; readonly position: LogPosition };

export type LogQuery = {
  readonly webhookId: WebhookId;
  readonly before?: LogPosition | undefined;
  /** Leaves out what was created earlier, epoch milliseconds. */
  readonly since?: number | undefined;
  readonly limit: number;
  /** Absent: all deliveries match. */
  readonly matches?: (delivery: Delivery) => boolean;
};

export type LogPage = {
  /** Newest first. They may be fewer than the limit, or none, while the log has more. */
  readonly deliveries: readonly Delivery[];
  /** Where to go on; `undefined` at the end of the log. */
  readonly next: LogPosition | undefined;
};

/** The most keys that BatchGetItem takes. */
const batchSize = 100;
/** One search reads at most this many deliveries; the next request continues it. */
export const mostExamined = 500;

/** Reads the log of an endpoint, newest first, and keeps the deliveries that match. */
export async function readDeliveryLog(
  { webhookId, before, since = 0, limit, matches }: LogQuery,
  { deliveryLogs, now }: { readonly deliveryLogs: DeliveryLogStore; readonly now: () => number },
): Promise<LogPage> {
  const found: Delivery[] = [];
  const size = matches === undefined ? Math.min(limit, batchSize) : batchSize;
  let last = before;
  for (let examined = 0; examined < mostExamined; examined += size) {
    // One entry more than is read tells whether the log continues, without another request.
    const entries = await deliveryLogs.findEntries(webhookId, last, size + 1);
    const wanted = entries.filter(({ position }) => timeAt(position) >= since);
    const batch = wanted.slice(0, size);
    const deliveries = await deliveryLogs.getDeliveries(
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
