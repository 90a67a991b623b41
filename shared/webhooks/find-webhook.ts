import { ServiceError } from '#shared/errors/service-error';
import { type OrganizationId, ownId, type WebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from './webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

/**
 * Finds a webhook of the organization. Another organization's webhook is as unknown as one that never
 * existed.
 *
 * @throws ServiceError `webhook_not_found`
 */
export async function findWebhook(
  id: WebhookId | undefined,
  organizationId: OrganizationId,
  webhooks: WebhookStore,
): Promise<Webhook> {
  const webhookId = ownId(id, organizationId);
  const webhook = webhookId && (await webhooks.get(webhookId));
  if (webhook === undefined) throw webhookNotFound();
  return webhook;
}

export const webhookNotFound = (): ServiceError =>
  new ServiceError('webhook_not_found', 'There is no webhook with this id.');

/** @throws ServiceError `webhook_disabled` */
export function requireEnabled({ disabled }: Webhook): void {
  if (disabled === undefined) return;
  throw new ServiceError(
    'webhook_disabled',
    'The webhook is disabled and gets nothing. Enable it with PATCH {"enabled": true}, then repeat.',
  );
}
