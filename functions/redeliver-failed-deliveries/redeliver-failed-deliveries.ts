import { authenticateManager } from '#shared/organizations/authenticate-manager';
import { newDeliveryId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { type LogPosition, mostExamined, readDeliveryLog } from '#shared/webhooks/delivery-log';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { findWebhook, requireEnabled } from '#shared/webhooks/manage-webhook';
import { redeliveryOf } from '#shared/webhooks/redelivery';
import type { RedeliverFailedRequest } from './schema.ts';

export type RedeliverFailedDependencies = Pick<
  WebhookDependencies,
  'now' | 'apiKeys' | 'getWebhook' | 'findLogEntries' | 'getDeliveries' | 'putOnlyRedelivery'
>;

export type RedeliverFailedResult = {
  readonly redelivered: number;
  /** Where to go on; `undefined` when all of them were looked at. */
  readonly next: LogPosition | undefined;
};

/**
 * Replays the deliveries of an endpoint that failed and were not replayed, newest first, as far as one
 * request goes. Each is marked in the transaction of its redelivery: when this dies half-way, or runs
 * twice, nothing is replayed twice.
 *
 * The queue is not woken. They are due now, and the scheduled run makes them within a minute, with no
 * endpoint taking more than its share: a receiver that comes back is not buried, and nobody else's first
 * attempt waits behind hundreds of old ones.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `webhook_not_found`,
 *   `webhook_disabled`
 */
export async function redeliverFailedDeliveries(
  credential: string | undefined,
  id: string,
  parse: () => RedeliverFailedRequest,
  dependencies: RedeliverFailedDependencies,
): Promise<RedeliverFailedResult> {
  const organizationId = await authenticateManager(credential, dependencies);
  const { since, cursor: before } = parse();
  const webhook = await findWebhook(id, organizationId, dependencies);
  requireEnabled(webhook);
  const { deliveries, next } = await readDeliveryLog(
    { webhookId: webhook.id, before, since, limit: mostExamined, matches: isToBeRedelivered },
    dependencies,
  );
  return { redelivered: await redeliverAll(deliveries, dependencies), next };
}

const isToBeRedelivered = ({ status, redeliveredAs }: Delivery): boolean =>
  status === 'failed' && redeliveredAs === undefined;

const concurrency = 16;

/** @returns how many were stored by this very call. */
async function redeliverAll(
  deliveries: readonly Delivery[],
  { now, putOnlyRedelivery }: RedeliverFailedDependencies,
): Promise<number> {
  let stored = 0;
  const pending = deliveries.values();
  const work = async () => {
    for (const original of pending) {
      const dueAt = now();
      const redelivery = redeliveryOf(original, newDeliveryId(original.id), dueAt);
      const outcome = await putOnlyRedelivery(original, { ...redelivery, dueAt });
      if (outcome === 'stored') stored += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return stored;
}
