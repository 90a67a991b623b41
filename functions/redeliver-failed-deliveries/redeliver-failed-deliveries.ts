import { authenticateManager } from '#shared/access/authenticate';
import { type Delivery, redeliveryOf } from '#shared/deliveries/delivery';
import { logPositionSchema, readDeliveryLog } from '#shared/deliveries/delivery-log';
import type { DeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import type { RedeliveryStore } from '#shared/deliveries/redelivery-store';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { mostExamined } from '#shared/table/list-search';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import type { WebhookId } from '#shared/tokens/resource-id';
import { findWebhook } from '#shared/webhooks/find-webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';
import type { RedeliverFailedRequest } from './endpoint.ts';

export type FailedDeliveryReplay = WebhookManagement & {
  readonly deliveryLogs: DeliveryLogStore;
  readonly redeliveries: RedeliveryStore;
};

export type RedeliverFailedResult = {
  readonly redelivered: number;
  /** Where the next request continues; `null` at the end of the log. */
  readonly nextCursor: string | null;
};

/**
 * Replays the failed deliveries of a webhook that were not replayed before, newest first, as far as one
 * request goes. The transaction that stores a redelivery also marks the original. So nothing is replayed
 * twice when the process dies half-way or the request is repeated.
 *
 * The queue is not woken. The redeliveries are due at once, and the scheduled run makes them within a
 * minute. The run limits the share of each endpoint: it does not flood a receiver that has just come back,
 * and no other first attempt waits behind hundreds of old deliveries.
 *
 * A disabled webhook gets them too, and their outcomes leave its health alone.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `webhook_not_found`
 */
export async function redeliverFailedDeliveries(
  credential: string | undefined,
  id: WebhookId | undefined,
  parse: () => RedeliverFailedRequest,
  replay: FailedDeliveryReplay,
): Promise<RedeliverFailedResult> {
  const { organizationId, cursorOwner: owner } = await authenticateManager(credential, replay);
  const { since, cursor } = parse();
  const webhook = await findWebhook(id, organizationId, replay.webhooks);
  const scope = { list: `webhooks/${webhook.id}/redeliver-failed`, owner, filters: { since } };
  const before = openCursor(cursor, logPositionSchema, scope);
  const { deliveries, next } = await readDeliveryLog(
    { webhookId: webhook.id, before, since, limit: mostExamined, matches: isToBeRedelivered },
    replay,
  );
  const redelivered = await redeliverAll(deliveries, replay);
  return { redelivered, nextCursor: sealCursor(next, scope) };
}

const isToBeRedelivered = ({ status, redeliveredAs }: Delivery): boolean =>
  status === 'failed' && redeliveredAs === undefined;

const concurrency = 16;

/** @returns how many redeliveries this call stored. */
async function redeliverAll(
  deliveries: readonly Delivery[],
  { now, redeliveries }: FailedDeliveryReplay,
): Promise<number> {
  let stored = 0;
  const pending = deliveries.values();
  const work = async () => {
    for (const original of pending) {
      const dueAt = now();
      const redelivery = redeliveryOf(original, newDeliveryId(original.id), dueAt);
      const outcome = await redeliveries.putFirst(original, { ...redelivery, dueAt });
      if (outcome === 'stored') stored += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return stored;
}
