import { ServiceError } from '#shared/errors/service-error';
import { type OrganizationId, ownId, type WebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

/**
 * Finds a webhook of the organization. Another organization's webhook gets the same answer as one that never existed.
 *
 * @throws ServiceError `webhook_not_found`
 */
export async function findWebhook(
  id: WebhookId,
  organizationId: OrganizationId,
  webhooks: WebhookStore,
): Promise<Webhook> {
  const webhookId = ownId(id, organizationId);
  const webhook = webhookId && (await webhooks.get(webhookId));
  if (webhook === undefined) throw new ServiceError('webhook_not_found');
  return webhook;
}
