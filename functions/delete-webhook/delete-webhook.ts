import { authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { WebhookId } from '#shared/tokens/resource-id';
import { auditedWebhook } from '#shared/webhooks/audited-webhook';
import { findWebhook, webhookNotFound } from '#shared/webhooks/find-webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';

/**
 * Deletes a webhook. Its pending deliveries fail at their next attempt.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `webhook_not_found`
 */
export async function deleteWebhook(
  credential: string | undefined,
  id: WebhookId | undefined,
  management: WebhookManagement,
): Promise<void> {
  const { organizationId, actor } = await authenticateManager(credential, management);
  const webhook = await findWebhook(id, organizationId, management.webhooks);
  const change = { action: 'webhook.deleted', target: webhook.id, before: auditedWebhook(webhook) };
  const entry = newAuditEntry(organizationId, actor, change, management.now());
  if ((await management.webhooks.delete(webhook.id, entry)) === 'unknown') throw webhookNotFound();
}
