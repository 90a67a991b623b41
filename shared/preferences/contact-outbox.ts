import { randomUUID } from 'node:crypto';
import type { Contact, ContactRef } from '#shared/contacts/contact';
import { getContact } from '#shared/contacts/contact-store';
import { getOrganization } from '#shared/organizations/organization-store';
import {
  deleteSuppressionRecord,
  openSuppressionStore,
} from '#shared/suppressions/suppression-store';
import {
  outboxOf,
  type SuppressionOutbox,
  suppressionRows,
} from '#shared/suppressions/suppression-webhook-event';
import { contactKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import { type ContactId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { putDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import type { WebhookEvent } from '#shared/webhook-deliveries/webhook-event';
import { type PreferencesUpdate, updatedContact } from './preferences.ts';

/**
 * Each write is stored together with its webhook deliveries, all or none, before the queue is woken.
 *
 * @param wakeQueue must not throw: the deliveries are due in any case.
 */
export function openContactOutbox(
  table: Table,
  wakeQueue: (deliveries: readonly Delivery[]) => Promise<void>,
  sendRetentionDays: number,
) {
  const outboxFor = async (contactId: ContactId, now: number): Promise<SuppressionOutbox> => {
    const organization = await getOrganization(table, organizationIdOf(contactId));
    return outboxOf(organization ?? { webhooks: {} }, sendRetentionDays, now);
  };
  const deliveriesFor = (
    event: WebhookEvent,
    contactId: ContactId,
    { webhooks, expiresAt }: SuppressionOutbox,
  ) => deliveriesOf(event, { parent: contactId, expiresAt }, webhooks, event.at);
  /** @returns the deliveries, and whether they were stored. */
  const unsubscribe = async (
    contact: ContactRef,
    now: number,
    createsMissing: boolean,
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly isStored: boolean }> => {
    const data = { contactId: contact.id, email: contact.email };
    const event = { type: 'contact.unsubscribed', key: newKey(), at: now, data } as const;
    const outbox = await outboxFor(contact.id, now);
    const suppressed = { reason: 'unsubscribe', at: now } as const;
    const deliveries = [
      ...deliveriesFor(event, contact.id, outbox),
      ...suppressionRows('suppression.added', [suppressed], outbox, now)(contact),
    ];
    const outcome = await openSuppressionStore(table).unsubscribe(
      contact,
      deliveries,
      now,
      createsMissing,
    );
    // An erased person's address must not come back, neither in the contact nor in webhooks.
    if (outcome === 'erased') return unsubscribe({ id: contact.id }, now, createsMissing);
    return { deliveries, isStored: outcome === 'suppressed' };
  };
  return {
    async unsubscribe(contact: ContactRef, now: number) {
      const { deliveries, isStored } = await unsubscribe(contact, now, true);
      if (isStored) await wakeQueue(deliveries);
    },

    /**
     * For unproven requests: makes the same calls whether or not the contact exists, so its timing reveals nothing. It
     * wakes the queue even for deliveries that weren't stored: without a row there is no attempt.
     */
    async unsubscribeIfThere(contactId: ContactId, now: number) {
      const contact = await getContact(table, contactId);
      const { deliveries } = await unsubscribe(
        { id: contactId, email: contact?.email },
        now,
        false,
      );
      await wakeQueue(deliveries);
    },

    /** @returns `false`, with nothing written, if the contact has changed. */
    async storePreferences(seen: Contact, update: PreferencesUpdate, now: number) {
      const outbox = await outboxFor(seen.id, now);
      const lifted = update.liftsUnsubscribe && seen.unsubscribe ? [seen.unsubscribe] : [];
      const removed = lifted.map(({ at }) => ({ reason: 'unsubscribe', at }) as const);
      const deliveries = [
        ...deliveriesFor(preferencesEventOf(seen, update, now), seen.id, outbox),
        ...suppressionRows('suppression.removed', removed, outbox, now)(seen),
      ];
      const isStored = await storePreferences(table, seen, update, deliveries, now);
      if (isStored) await wakeQueue(deliveries);
      return isStored;
    },
  };
}

function preferencesEventOf(
  { id: contactId, email }: Contact,
  { subscriptions, liftsUnsubscribe }: PreferencesUpdate,
  now: number,
): WebhookEvent {
  const data = {
    contactId,
    email,
    subscriptions: Object.entries(subscriptions).map(([categoryKey, subscribed]) => ({
      categoryKey,
      subscribed,
    })),
    resubscribed: liftsUnsubscribe,
  };
  return { type: 'contact.preferences_updated', key: newKey(), at: now, data };
}

/** A contact may do the same again later, which is another event. */
const newKey = (): string => randomUUID();

const hasSameSubscriptions = 'subscriptions = :seen';
const isKnown = 'attribute_exists(email)';
const isUnknown = 'attribute_not_exists(email)';
const isUnsubscribed = 'attribute_exists(unsubscribe)';
const isNotUnsubscribed = 'attribute_not_exists(unsubscribe)';

/**
 * Writes the webhook deliveries too, all or none. All subscriptions are one value: an expression that names each
 * category exceeds DynamoDB's 4 KB from some hundred categories on (DynamoDB developer guide, "Quotas", expression
 * parameters).
 *
 * @param seen the contact that the change was made for.
 * @returns `false`, with nothing written, if the preferences have changed, or the person was erased or came back.
 */
export async function storePreferences(
  table: Table,
  seen: Contact,
  update: PreferencesUpdate,
  deliveries: readonly Delivery[],
  now: number,
): Promise<boolean> {
  const { subscriptions } = updatedContact(seen, update);
  const isInSameState = seen.unsubscribe === undefined ? isNotUnsubscribed : isUnsubscribed;
  const lifting = update.liftsUnsubscribe ? ' REMOVE unsubscribe' : '';
  const change = {
    Update: {
      Key: contactKey(seen.id),
      UpdateExpression: `SET subscriptions = :subscriptions, updatedAt = :now${lifting}`,
      ConditionExpression: [
        seen.email === undefined ? isUnknown : isKnown,
        hasSameSubscriptions,
        isInSameState,
      ].join(' AND '),
      ExpressionAttributeValues: {
        ':seen': seen.subscriptions,
        ':subscriptions': subscriptions,
        ':now': now,
      },
    },
  };
  const outcome = await transactWrite(table, [
    change,
    ...(update.liftsUnsubscribe ? [deleteSuppressionRecord(seen.id, 'unsubscribe')] : []),
    ...putDeliveries(deliveries),
  ]);
  return outcome.committed;
}
