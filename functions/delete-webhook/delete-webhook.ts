import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import {
  auditedWebhook,
  findWebhook,
  type WebhookManagement,
} from '#shared/webhooks/webhook-management';
import type { endpoint } from './endpoint.ts';

/** Deletes a webhook. Its pending deliveries fail at their next attempt. */
export async function deleteWebhook(
  { caller: { organizationId, actor }, path: { id } }: RequestTo<typeof endpoint>,
  { webhooks, now }: WebhookManagement,
): Promise<undefined> {
  const webhook = await findWebhook(id, organizationId, webhooks);
  const change = { action: 'webhook.deleted', target: id, before: auditedWebhook(webhook) };
  const entry = newAuditEntry(organizationId, actor, change, now());
  const outcome = await webhooks.delete(id, entry);
  if (outcome === 'unknown') throw new ServiceError('webhook_not_found');
}
