import { randomUUID } from 'node:crypto';
import { retentionDaysOf } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import { expiryAfter } from '#shared/table/expiry';
import type { Table } from '#shared/table/table-client';
import { type ContactId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { deliveriesOf, type WebhookEvent } from '#shared/webhooks/outbox';
import type { ContactRef } from './contact.ts';
import { getContact, storePreferences } from './contact-store.ts';
import type { PreferencesUpdate } from './preferences.ts';
import { unsubscribeContact } from './suppression-store.ts';

/**
 * Opens the writes of a contact that webhook endpoints are told of. Each is stored together with its
 * deliveries, all of them or none. Then the queue is woken.
 *
 * @param wakeQueue must not throw: the deliveries are due in any case.
 */
export function openContactOutbox(
  table: Table,
  wakeQueue: (deliveries: readonly Delivery[]) => Promise<void>,
  sendRetentionDays: number,
) {
  const deliveriesFor = async (event: WebhookEvent, contactId: ContactId) => {
    const organization = await getOrganization(table, organizationIdOf(contactId));
    const days = retentionDaysOf(organization, sendRetentionDays);
    const owner = { parent: contactId, expiresAt: expiryAfter(event.at, days) };
    return deliveriesOf(event, owner, organization?.webhooks ?? {}, event.at);
  };
  return {
    /** Ends bulk email to the contact. Doing it again changes nothing, and tells nobody. */
    async unsubscribe(contact: ContactRef, now: number) {
      const data = { contactId: contact.id, email: contact.email };
      const event = { type: 'contact.unsubscribed', key: newKey(), at: now, data } as const;
      const deliveries = await deliveriesFor(event, contact.id);
      const wasSubscribed = await unsubscribeContact(table, contact, deliveries, now);
      if (wasSubscribed) await wakeQueue(deliveries);
    },

    async storePreferences(contactId: ContactId, update: PreferencesUpdate, now: number) {
      const contact = await getContact(table, contactId);
      const { subscriptions, liftsUnsubscribe } = update;
      const data = {
        contactId,
        email: contact?.email,
        subscriptions: Object.entries(subscriptions).map(([categoryKey, subscribed]) => ({
          categoryKey,
          subscribed,
        })),
        resubscribed: liftsUnsubscribe,
      };
      const event = { type: 'contact.preferences_updated', key: newKey(), at: now, data } as const;
      const deliveries = await deliveriesFor(event, contactId);
      await storePreferences(table, contactId, update, deliveries, now);
      await wakeQueue(deliveries);
    },
  };
}

/** A contact may do the same again later: that is another event. */
const newKey = (): string => randomUUID();
