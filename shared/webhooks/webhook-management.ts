import { openApiKeyStore } from '#shared/access/api-key-store';
import type { Table } from '#shared/table/table-client';
import { openWebhookStore } from './webhook-store.ts';

/** What managing the webhooks of an organization, and admitting its managers, uses. */
export const openWebhookManagement = (table: Table) => ({
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  webhooks: openWebhookStore(table),
});
export type WebhookManagement = Omit<ReturnType<typeof openWebhookManagement>, 'apiKeys'>;
