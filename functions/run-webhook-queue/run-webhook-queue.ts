import { countOf, publishDuration } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { attemptDelivery, type Delivering } from '#shared/webhook-deliveries/attempt-delivery';
import type { DueDeliveryStore } from '#shared/webhook-deliveries/delivery-store';
import {
  type EndpointShares,
  type RunResult,
  runDueDeliveries,
} from '#shared/webhook-deliveries/run-due-deliveries';
import { withSharedReads } from '#shared/webhooks/webhook-store';

// Makes the attempts that are due in the table: retries, and first attempts that the SQS queue of `deliver-webhooks`
// didn't bring. How long a run works, and how much at a time: `shared/webhook-deliveries/run-due-deliveries.ts`.

export type QueueRun = Delivering & {
  readonly dueDeliveries: DueDeliveryStore;
  readonly shares: EndpointShares;
};

/** A run makes hundreds of attempts a second at one endpoint; one read of its webhook a second serves them all. */
const sharedReadMs = 1_000;

/**
 * Starts no attempt later than `workMs` from now. Every run publishes how late the oldest delivery was, even if nothing
 * was due: the alarm goes off when the figure is high or missing.
 */
export async function runWebhookQueue(
  workMs: number,
  { dueDeliveries, shares, ...delivering }: QueueRun,
  log: RequestLog,
): Promise<RunResult> {
  const { now } = delivering;
  const startedAt = now();
  let oldestDueAt = startedAt;
  const webhooks = withSharedReads(delivering.webhooks, sharedReadMs, now);
  const findOwners: DueDeliveryStore['findOwners'] = async (...range) => {
    const found = await dueDeliveries.findOwners(...range);
    for (const { page } of found.firstPages) {
      oldestDueAt = Math.min(oldestDueAt, ...page.entries.map(({ dueAt }) => dueAt));
    }
    return found;
  };
  const result = await runDueDeliveries(startedAt + workMs, {
    now,
    dueDeliveries: { ...dueDeliveries, findOwners },
    shares,
    attempt: async (delivery) => {
      const attempted = await attemptDelivery(delivery, 'due', { ...delivering, webhooks });
      const counted = countOf('WebhookAttempted', { result: attempted });
      log.info('webhook attempted', { deliveryId: delivery.id }, [counted]);
      return attempted;
    },
    reportFailure: ({ id: deliveryId }, error) =>
      log.error('webhook attempt not recorded', error, { deliveryId }),
  });
  publishDuration('WebhookOldestDueLateness', startedAt - oldestDueAt);
  if (result.processed > 0) log.info('webhook queue run', result);
  return result;
}
