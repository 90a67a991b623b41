import type * as z from 'zod/mini';
import type { tableEnvironment } from '#shared/config/environment';
import { openApiKeyStore } from '#shared/organizations/api-key-store';
import type { Authentication } from '#shared/organizations/authenticate-caller';
import { openTable } from '#shared/table/table-client';
import type { DeliveryId, OrganizationId, WebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from './delivery.ts';
import type { LogDependencies } from './delivery-log.ts';
import { findLogEntries, getDeliveries, putNewDelivery } from './delivery-log-store.ts';
import { getDelivery } from './delivery-store.ts';
import { putOnlyRedelivery, putRedelivery } from './redelivery-store.ts';
import type { Webhook } from './webhook.ts';
import {
  deleteWebhook,
  getWebhook,
  listWebhooks,
  putNewWebhook,
  replaceWebhook,
} from './webhook-store.ts';

/** Wires the management of webhooks to the table. */
export function createWebhookDependencies(environment: z.output<typeof tableEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  const authentication: Authentication = {
    now: Date.now,
    apiKeys: openApiKeyStore(table),
  };
  const log: Omit<LogDependencies, 'now'> = {
    findLogEntries: (...page) => findLogEntries(table, ...page),
    getDeliveries: (ids, now) => getDeliveries(table, ids, now),
  };
  return {
    ...authentication,
    ...log,
    getWebhook: (id: WebhookId) => getWebhook(table, id),
    listWebhooks: (id: OrganizationId) => listWebhooks(table, id),
    putNewWebhook: (webhook: Webhook) => putNewWebhook(table, webhook),
    replaceWebhook: (before: Webhook, after: Webhook) => replaceWebhook(table, before, after),
    deleteWebhook: (id: WebhookId) => deleteWebhook(table, id),
    getDelivery: (id: DeliveryId, now: number) => getDelivery(table, id, now),
    putNewDelivery: (delivery: Delivery) => putNewDelivery(table, delivery),
    putRedelivery: (original: Delivery, again: Delivery) => putRedelivery(table, original, again),
    putOnlyRedelivery: (original: Delivery, again: Delivery) =>
      putOnlyRedelivery(table, original, again),
  };
}

export type WebhookDependencies = ReturnType<typeof createWebhookDependencies>;
