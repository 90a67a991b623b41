import { publishCount, publishDuration } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { dueShards } from '#shared/table/delivery-keys';
import { attemptDelivery } from '#shared/webhooks/attempt-delivery';
import type { Delivering } from '#shared/webhooks/delivering';
import type { DueDeliveryStore } from '#shared/webhooks/due-delivery-store';
import { type RunResult, runDueDeliveries } from '#shared/webhooks/run-due-deliveries';

/** No attempt begins later than this. The longest attempt takes 15 s, and HTTP API waits for 30 s. */
export const beginWithinMs = 10_000;

export type QueueRun = Delivering & { readonly dueDeliveries: DueDeliveryStore };

/**
 * Attempts the webhook deliveries that are due now. Every run publishes how late the oldest of them was,
 * also when nothing was due: an alarm rings when the figure is high or missing.
 */
export async function runWebhookQueue(
  { dueDeliveries, ...delivering }: QueueRun,
  log: RequestLog,
): Promise<RunResult> {
  const startedAt = delivering.now();
  let oldestDueAt = startedAt;
  const result = await runDueDeliveries(startedAt + beginWithinMs, {
    now: delivering.now,
    shards: dueShards,
    readDuePage: async (shard, after) => {
      const page = await dueDeliveries.find(shard, startedAt, after);
      oldestDueAt = Math.min(oldestDueAt, ...page.entries.map(({ dueAt }) => dueAt));
      return page;
    },
    attempt: async (delivery) => {
      const attempted = await attemptDelivery(delivery, 'due', delivering);
      log.info('webhook attempted', { deliveryId: delivery.id, result: attempted });
      publishCount('WebhookAttempted', { result: attempted });
      return attempted;
    },
    reportFailure: ({ id: deliveryId }, error) =>
      log.error('webhook attempt not recorded', error, { deliveryId }),
  });
  publishDuration('WebhookOldestDueLateness', startedAt - oldestDueAt);
  if (result.processed > 0) log.info('webhook queue run', result);
  return result;
}
