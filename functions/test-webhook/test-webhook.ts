import { type DayQuotas, limitDeliveries } from '#shared/access/limit-day';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { retentionDaysOf } from '#shared/organizations/organization';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { expiryAfter } from '#shared/table/expiry';
import { deliveryIdOf } from '#shared/tokens/delivery-id';
import { newWebhookMessageId } from '#shared/tokens/resource-id';
import { type Delivery, pendingDelivery } from '#shared/webhook-deliveries/delivery';
import type { DeliveryStore } from '#shared/webhook-deliveries/delivery-store';
import { webhookBody } from '#shared/webhook-deliveries/outbox';
import { resendTestMessage } from '#shared/webhook-deliveries/resend-message';
import type { WakeQueue } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { findWebhook, type WebhookManagement } from '#shared/webhooks/webhook-management';
import type { endpoint } from './endpoint.ts';

type WebhookTesting = WebhookManagement &
  DayQuotas & {
    readonly organizations: Pick<OrganizationStore, 'get'>;
    readonly deliveries: DeliveryStore;
    readonly wakeQueue: WakeQueue;
    /** The organization's own setting may be shorter. */
    readonly sendRetentionDays: number;
  };

/** A message without an event, but signed, retried and logged like any other. */
export async function testWebhook(
  { caller, path: { id } }: RequestTo<typeof endpoint>,
  testing: WebhookTesting,
): Promise<Delivery> {
  const { organizationId } = caller;
  const { webhooks, organizations, deliveries, wakeQueue, now: readClock } = testing;
  const [webhook, organization] = await Promise.all([
    findWebhook(id, organizationId, webhooks),
    organizations.get(organizationId),
  ]);
  if (webhook.disabled !== undefined) throw new ServiceError('webhook_disabled');
  const now = readClock();
  await limitDeliveries(caller, 1, now, testing);
  const days = retentionDaysOf(organization, testing.sendRetentionDays);
  const messageId = newWebhookMessageId(organizationId);
  const delivery: Delivery = {
    ...pendingDelivery(now, expiryAfter(now, days)),
    id: deliveryIdOf(id, messageId, id),
    webhookId: id,
    messageId,
    type: 'webhook.test',
    body:
      webhook.format === 'resend'
        ? resendTestMessage(id, now)
        : webhookBody('webhook.test', now, { webhookId: id }),
  };
  await deliveries.putNew(delivery);
  await wakeQueue([delivery]);
  return delivery;
}
