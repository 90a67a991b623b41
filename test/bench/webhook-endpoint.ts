import type { Table } from '#shared/table/table-client';
import { newWebhookId, type OrganizationId } from '#shared/tokens/resource-id';
import { newWebhookSecret } from '#shared/webhooks/signature';
import type { Webhook } from '#shared/webhooks/webhook';
import { putNewWebhook } from '#shared/webhooks/webhook-store';

/** Stores an endpoint; without types it wants every event. */
export async function putEndpoint(
  table: Table,
  organizationId: OrganizationId,
  url: string,
  eventTypes: Webhook['eventTypes'] = [],
): Promise<Webhook> {
  const now = Date.now();
  const webhook: Webhook = {
    id: newWebhookId(organizationId),
    url,
    eventTypes,
    description: '',
    secret: newWebhookSecret(),
    previousSecrets: [],
    createdAt: now,
    updatedAt: now,
  };
  await putNewWebhook(table, webhook);
  return webhook;
}
