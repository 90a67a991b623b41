import { authenticateManager } from '#shared/access/authenticate';
import { type Delivery, pendingDelivery } from '#shared/deliveries/delivery';
import type { DeliveryStore } from '#shared/deliveries/delivery-store';
import { webhookBody } from '#shared/deliveries/outbox';
import type { WakeQueue } from '#shared/deliveries/sqs-delivery-queue';
import { retentionDaysOf } from '#shared/organizations/organization';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { expiryAfter } from '#shared/table/expiry';
import { deliveryIdOf } from '#shared/tokens/delivery-id';
import { newWebhookMessageId, type WebhookId } from '#shared/tokens/resource-id';
import { findWebhook, requireEnabled } from '#shared/webhooks/find-webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';

export type WebhookTest = WebhookManagement & {
  readonly organizations: Pick<OrganizationStore, 'get'>;
  readonly deliveries: DeliveryStore;
  readonly wakeQueue: WakeQueue;
  /** Of the deployment; an organization may keep its messages for fewer days. */
  readonly sendRetentionDays: number;
};

/**
 * Sends a message without an event to a webhook. It is signed, retried and logged like any other message.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `webhook_not_found`, `webhook_disabled`
 */
export async function testWebhook(
  credential: string | undefined,
  id: WebhookId | undefined,
  test: WebhookTest,
): Promise<Delivery> {
  const { organizationId } = await authenticateManager(credential, test);
  const [webhook, organization] = await Promise.all([
    findWebhook(id, organizationId, test.webhooks),
    test.organizations.get(organizationId),
  ]);
  requireEnabled(webhook);
  const now = test.now();
  const days = retentionDaysOf(organization, test.sendRetentionDays);
  const messageId = newWebhookMessageId(organizationId);
  const delivery: Delivery = {
    ...pendingDelivery(now, expiryAfter(now, days)),
    id: deliveryIdOf(webhook.id, messageId, webhook.id),
    webhookId: webhook.id,
    messageId,
    type: 'webhook.test',
    body: webhookBody('webhook.test', now, { webhookId: webhook.id }),
  };
  await test.deliveries.putNew(delivery);
  await test.wakeQueue([delivery]);
  return delivery;
}
