import { authenticateManager } from '#shared/organizations/authenticate-manager';
import { expiryAfter } from '#shared/table/expiry';
import { deliveryIdOf, newWebhookMessageId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { findWebhook, requireEnabled } from '#shared/webhooks/manage-webhook';
import { pendingDelivery, webhookBody } from '#shared/webhooks/outbox';

export type TestWebhookDependencies = Pick<
  WebhookDependencies,
  'now' | 'apiKeys' | 'getWebhook' | 'putNewDelivery'
> & {
  readonly sendRetentionDays: number;
  readonly wakeQueue: (deliveries: readonly Delivery[]) => Promise<void>;
};

/**
 * Sends an endpoint a message that tells of nothing: signed, attempted again and logged as any other.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `webhook_not_found`, `webhook_disabled`
 */
export async function testWebhook(
  credential: string | undefined,
  id: string,
  dependencies: TestWebhookDependencies,
): Promise<Delivery> {
  const organizationId = await authenticateManager(credential, dependencies);
  const webhook = await findWebhook(id, organizationId, dependencies);
  requireEnabled(webhook);
  const now = dependencies.now();
  const messageId = newWebhookMessageId(organizationId);
  const delivery: Delivery = {
    ...pendingDelivery(now, expiryAfter(now, dependencies.sendRetentionDays)),
    id: deliveryIdOf(webhook.id, messageId, webhook.id),
    webhookId: webhook.id,
    messageId,
    type: 'webhook.test',
    body: webhookBody('webhook.test', now, { webhookId: webhook.id }),
  };
  await dependencies.putNewDelivery(delivery);
  await dependencies.wakeQueue([delivery]);
  return delivery;
}
