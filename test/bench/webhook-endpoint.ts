import type { Table } from '#shared/table/table-client';
import { newWebhookId, type OrganizationId } from '#shared/tokens/resource-id';
import { newWebhookSecret } from '#shared/webhooks/signature';
import { maxWebhooks, type Webhook } from '#shared/webhooks/webhook';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { anyEntry } from '../support/audit-entry-builder.ts';

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
  await openWebhookStore(table).putNew(webhook, anyEntry(), maxWebhooks);
  return webhook;
}
