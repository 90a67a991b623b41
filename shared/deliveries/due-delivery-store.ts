import { dueDeliveries } from '#shared/table/delivery-keys';
import { type Due, openDueReader } from '#shared/table/due-reader';
import type { Table } from '#shared/table/table-client';
import { type DeliveryId, type WebhookId, webhookIdSchema } from '#shared/tokens/resource-id';
import { idIn } from './delivery-store.ts';

export type DueEntry = Due<WebhookId> & { readonly id: DeliveryId; readonly webhookId: WebhookId };

/** Due deliveries, endpoint by endpoint. */
export const openDueDeliveryStore = (table: Table) =>
  openDueReader<WebhookId, DueEntry>(table, dueDeliveries, (item, owner, dueAt) => {
    const webhookId = webhookIdSchema.parse(owner);
    return { id: idIn(item), owner: webhookId, webhookId, dueAt };
  });
export type DueDeliveryStore = ReturnType<typeof openDueDeliveryStore>;
