import { authenticateManager } from '#shared/access/authenticate';
import type { Delivery } from '#shared/deliveries/delivery';
import { logPositionSchema, readDeliveryLog } from '#shared/deliveries/delivery-log';
import type { DeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { WebhookId } from '#shared/tokens/resource-id';
import { findWebhook } from '#shared/webhooks/find-webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';
import type { ListDeliveriesQuery } from './endpoint.ts';

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
) {
  const { organizationId, cursorOwner: owner } = await authenticateManager(credential, management);
  const { limit, cursor, ...filters } = parse();
  const { status, type, send } = filters;
  const webhook = await findWebhook(id, organizationId, management.webhooks);
  const scope = { list: `webhooks/${webhook.id}/deliveries`, owner, filters };
  const before = openCursor(cursor, logPositionSchema, scope);
  const isFiltered = status !== undefined || type !== undefined;
  const matches = (delivery: Delivery) =>
    (status === undefined || delivery.status === status) &&
    (type === undefined || delivery.type === type);
  const { deliveries, next } = await readDeliveryLog(
    { webhookId: webhook.id, sendId: send, before, limit, ...(isFiltered && { matches }) },
    management,
  );
  return { deliveries, nextCursor: sealCursor(next, scope) };
}
