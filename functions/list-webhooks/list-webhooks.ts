import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import type { Webhook } from '#shared/webhooks/webhook';

/**
 * Lists the webhook endpoints of the key's organization, oldest first.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function listWebhooks(
  credential: string | undefined,
  dependencies: Pick<WebhookDependencies, 'now' | 'apiKeys' | 'listWebhooks'>,
): Promise<Webhook[]> {
  const organizationId = await authenticateManager(credential, dependencies);
  return dependencies.listWebhooks(organizationId);
}
