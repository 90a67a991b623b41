import { authenticateManager } from '#shared/access/authenticate';
import type { WebhookId } from '#shared/tokens/resource-id';
import { findWebhook } from '#shared/webhooks/find-webhook';
import type { Webhook } from '#shared/webhooks/webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';

/**
 * Reads a webhook.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `webhook_not_found`
 */
export async function getWebhook(
  credential: string | undefined,
  id: WebhookId | undefined,
  management: WebhookManagement,
): Promise<Webhook> {
  const { organizationId } = await authenticateManager(credential, management);
  return findWebhook(id, organizationId, management.webhooks);
}
