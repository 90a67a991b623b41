import { randomUUID } from 'node:crypto';
import type { ContactRef } from '#shared/contacts/contact';
import { type Organization, retentionDaysOf } from '#shared/organizations/organization';
import type { WebhookSubscriptions } from '#shared/organizations/webhook-subscriptions';
import { expiryAfter } from '#shared/table/expiry';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import type { SuppressionEventType } from '#shared/webhook-deliveries/webhook-event';
import type { SuppressionCause } from './suppression.ts';

/** Which webhooks may get deliveries about a contact, and when those expire, in epoch seconds. */
export type DeliverySettings = {
  readonly subscriptions: WebhookSubscriptions;
  readonly expiresAt: number;
};

export const deliverySettingsOf = (
  organization: Pick<Organization, 'webhooks' | 'sendRetentionDays'>,
  sendRetentionDays: number,
  now: number,
): DeliverySettings => ({
  subscriptions: organization.webhooks,
  expiresAt: expiryAfter(now, retentionDaysOf(organization, sendRetentionDays)),
});

/**
 * Stored in the transaction that makes the change: a repeated change fails its condition, and stores none. So a random
 * key makes no duplicates, and the same address may be suppressed and lifted again. Resend's form has no message
 * without an address.
 *
 * Imports aren't reported: a file of a million rows would mean as many messages to each endpoint.
 */
export function suppressionDeliveries(
  type: SuppressionEventType,
  { id: contactId, email }: ContactRef,
  causes: readonly SuppressionCause[],
  { subscriptions, expiresAt }: DeliverySettings,
  now: number,
): readonly Delivery[] {
  return causes.flatMap(({ reason, at, possible, providerMessageId }) => {
    const data = {
      contactId,
      ...(email !== undefined && { email }),
      reason,
      at,
      ...(possible && { possible }),
      ...(providerMessageId !== undefined && { messageId: providerMessageId }),
    };
    const event = { type, key: `${type} ${randomUUID()}`, at: now, data };
    return deliveriesOf(event, { parent: contactId, expiresAt }, subscriptions, now);
  });
}
