import type { RequestTo } from '#shared/endpoints/endpoint';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import {
  type DeliveryLogStore,
  logPositionSchema,
  readDeliveryLog,
} from '#shared/webhook-deliveries/delivery-log-store';
import { findWebhook, type WebhookManagement } from '#shared/webhooks/webhook-management';
import type { endpoint } from './endpoint.ts';

export async function listWebhookDeliveries(
  { caller, path: { id }, query: { limit, cursor, ...filters } }: RequestTo<typeof endpoint>,
  management: WebhookManagement & { readonly deliveryLogs: DeliveryLogStore },
) {
  const { organizationId, cursorOwner: owner } = caller;
  const { status, type, send } = filters;
  await findWebhook(id, organizationId, management.webhooks);
  const scope = { list: `webhooks/${id}/deliveries`, owner, filters };
  const before = openCursor(cursor, logPositionSchema, scope);
  const isFiltered = status !== undefined || type !== undefined;
  const matches = (delivery: Delivery) =>
    (status === undefined || delivery.status === status) &&
    (type === undefined || delivery.type === type);
  const { deliveries, next } = await readDeliveryLog(
    { webhookId: id, sendId: send, before, limit, ...(isFiltered && { matches }) },
    management,
  );
  return { deliveries, nextCursor: sealCursor(next, scope) };
}
