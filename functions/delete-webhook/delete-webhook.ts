import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { findWebhook, webhookNotFound } from '#shared/webhooks/manage-webhook';

/**
 * Deletes a webhook endpoint. What waits to be delivered to it fails at its next attempt.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `webhook_not_found`
 */
export async function deleteWebhook(
  credential: string | undefined,
  id: string,
  dependencies: Pick<WebhookDependencies, 'now' | 'apiKeys' | 'getWebhook' | 'deleteWebhook'>,
): Promise<void> {
  const organizationId = await authenticateManager(credential, dependencies);
  const webhook = await findWebhook(id, organizationId, dependencies);
  if ((await dependencies.deleteWebhook(webhook.id)) === 'unknown') throw webhookNotFound();
}
