import { authenticateManager } from '#shared/access/authenticate';
import type { Webhook } from '#shared/webhooks/webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';

/**
 * Lists the webhooks of the key's organization, oldest first.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function listWebhooks(
  credential: string | undefined,
  management: WebhookManagement,
): Promise<Webhook[]> {
  const { organizationId } = await authenticateManager(credential, management);
  return management.webhooks.list(organizationId);
}
