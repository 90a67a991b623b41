import * as z from 'zod/mini';
import { listPositionOf } from '#shared/table/list-position';
import { type Search, searchList } from '#shared/table/list-search';
import type { DeliveryId, SendId, WebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from './delivery.ts';
import type { DeliveryLogStore } from './delivery-log-store.ts';

/** The position of a delivery in the log of its endpoint: its time, and a part that breaks ties. */
export const logPositionSchema = listPositionOf(
  z.string().check(z.regex(/^[a-z2-7]{16}$/)),
).brand<'LogPosition'>();
export type LogPosition = z.infer<typeof logPositionSchema>;

/** A delivery, as the index of the log holds it. */
export type LogEntry = { readonly id: DeliveryId; readonly position: LogPosition };

export type LogQuery = Search<LogPosition, Delivery> & {
  readonly webhookId: WebhookId;
  /** Only the deliveries that tell of this send. */
  readonly sendId?: SendId | undefined;
};

export type LogPage = {
  /** Newest first. They may be fewer than the limit, or none, while the log has more. */
  readonly deliveries: readonly Delivery[];
  /** Where to go on; `undefined` at the end of the log. */
  readonly next: LogPosition | undefined;
};

/** Reads the log of an endpoint, newest first, and keeps the deliveries that match. */
export async function readDeliveryLog(
  { webhookId, sendId, ...search }: LogQuery,
  { deliveryLogs, now }: { readonly deliveryLogs: DeliveryLogStore; readonly now: () => number },
): Promise<LogPage> {
  const { found, next } = await searchList<LogPosition, LogEntry, Delivery>(
    {
      find: (before, count) =>
        sendId === undefined
          ? deliveryLogs.findEntries(webhookId, before, count)
          : deliveryLogs.findEntriesOfSend(webhookId, sendId, before, count),
      get: async (entries) => {
        const ids = entries.map(({ id }) => id);
        const deliveries = await deliveryLogs.getDeliveries(ids, now());
        return ids.map((id) => deliveries.get(id));
      },
    },
    search,
  );
  return { deliveries: found, next };
}
