import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { WebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { type LogPage, readDeliveryLog } from '#shared/webhooks/delivery-log';
import type { DeliveryLogStore } from '#shared/webhooks/delivery-log-store';
import { findWebhook } from '#shared/webhooks/find-webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';
import type { ListDeliveriesQuery } from './schema.ts';

/**
 * Lists the deliveries of a webhook, newest first.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `webhook_not_found`
 */
export async function listWebhookDeliveries(
  credential: string | undefined,
  id: WebhookId | undefined,
  parse: () => ListDeliveriesQuery,
  management: WebhookManagement & { readonly deliveryLogs: DeliveryLogStore },
): Promise<LogPage> {
  const { organizationId } = await authenticateManager(credential, management);
  const { limit, cursor: before, status, type } = parse();
  const webhook = await findWebhook(id, organizationId, management.webhooks);
  const isFiltered = status !== undefined || type !== undefined;
  const matches = (delivery: Delivery) =>
    (status === undefined || delivery.status === status) &&
    (type === undefined || delivery.type === type);
  return readDeliveryLog(
    { webhookId: webhook.id, before, limit, ...(isFiltered && { matches }) },
    management,
  );
}
