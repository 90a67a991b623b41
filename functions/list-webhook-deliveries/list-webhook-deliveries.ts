import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { Delivery } from '#shared/webhooks/delivery';
import { type LogPage, readDeliveryLog } from '#shared/webhooks/delivery-log';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { findWebhook } from '#shared/webhooks/manage-webhook';
import type { ListDeliveriesQuery } from './schema.ts';

export type ListDeliveriesDependencies = Pick<
  WebhookDependencies,
  'now' | 'apiKeys' | 'getWebhook' | 'findLogEntries' | 'getDeliveries'
>;

/**
 * Lists what a webhook endpoint was told or is to be told, newest first.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `webhook_not_found`
 */
export async function listWebhookDeliveries(
  credential: string | undefined,
  id: string,
  parse: () => ListDeliveriesQuery,
  dependencies: ListDeliveriesDependencies,
): Promise<LogPage> {
  const organizationId = await authenticateManager(credential, dependencies);
  const { limit, cursor: before, status, type } = parse();
  const webhook = await findWebhook(id, organizationId, dependencies);
  const isFiltered = status !== undefined || type !== undefined;
  const matches = (delivery: Delivery) =>
    (status === undefined || delivery.status === status) &&
    (type === undefined || delivery.type === type);
  return readDeliveryLog(
    { webhookId: webhook.id, before, limit, ...(isFiltered && { matches }) },
    dependencies,
  );
}
