import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { findWebhook } from '#shared/webhooks/manage-webhook';
import type { Webhook } from '#shared/webhooks/webhook';

/**
 * Reads a webhook endpoint.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `webhook_not_found`
 */
export async function getWebhook(
  credential: string | undefined,
  id: string,
  dependencies: Pick<WebhookDependencies, 'now' | 'apiKeys' | 'getWebhook'>,
): Promise<Webhook> {
  const organizationId = await authenticateManager(credential, dependencies);
  return findWebhook(id, organizationId, dependencies);
}
