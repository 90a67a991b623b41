import { randomUUID } from 'node:crypto';
import type { Contact, ContactRef } from '#shared/contacts/contact';
import { getContact } from '#shared/contacts/contact-store';
import { getOrganization } from '#shared/organizations/organization-store';
import {
  type DeliverySettings,
  deliverySettingsOf,
  suppressionDeliveries,
} from '#shared/suppressions/suppression-outbox';
import {
  deleteSuppressionRecord,
  suppressUnsubscribed,
} from '#shared/suppressions/suppression-store';
import { is, isAbsent, isPresent, updateIf } from '#shared/table/conditional-update';
import { contactKey } from '#shared/table/keys';
import type { Table, TableAndClock } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import { type ContactId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { putDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import type { WebhookEvent } from '#shared/webhook-deliveries/webhook-event';
import { type PreferencesUpdate, updatedContact } from './preferences.ts';

/** What a contact's own choices are stored and reported with. */
export type ContactReporting = TableAndClock & {
  /** Must not throw: the deliveries are due in any case. */
  readonly wakeWebhooks: (deliveries: readonly Delivery[]) => Promise<void>;
  readonly sendRetentionDays: number;
};

// Each write is stored together with its webhook deliveries, all or none, before the queue is woken.

export async function unsubscribeContact(
  contact: ContactRef,
  reporting: ContactReporting,
): Promise<void> {
  const { deliveries, isStored } = await unsubscribe(contact, true, reporting);
  if (isStored) await reporting.wakeWebhooks(deliveries);
}

/**
 * For unproven requests: makes the same calls whether or not the contact exists, so its timing reveals nothing. It
 * wakes the queue even for deliveries that weren't stored: those aren't attempted.
 */
export async function unsubscribeContactIfThere(
  contactId: ContactId,
  reporting: ContactReporting,
): Promise<void> {
  const contact = await getContact(reporting.table, contactId);
  const { deliveries } = await unsubscribe(
    { id: contactId, email: contact?.email },
    false,
    reporting,
  );
  await reporting.wakeWebhooks(deliveries);
}

/** @returns the deliveries, and whether they were stored. */
async function unsubscribe(
  contact: ContactRef,
  createsMissing: boolean,
  reporting: ContactReporting,
): Promise<{ readonly deliveries: readonly Delivery[]; readonly isStored: boolean }> {
  const { table } = reporting;
  const now = reporting.now();
  const data = { contactId: contact.id, email: contact.email };
  const event = { type: 'contact.unsubscribed', key: newKey(), at: now, data } as const;
  const deliverySettings = await deliverySettingsFor(contact.id, now, reporting);
  const cause = { reason: 'unsubscribe', at: now } as const;
  const deliveries = [
    ...deliveriesFor(event, contact.id, deliverySettings),
    ...suppressionDeliveries('suppression.added', contact, [cause], deliverySettings, now),
  ];
  const outcome = await suppressUnsubscribed(table, contact, now, {
    deliveries,
    createsMissing,
  });
  // An erased person's address must not come back, neither in the contact nor in webhooks.
  if (outcome === 'erased') return unsubscribe({ id: contact.id }, createsMissing, reporting);
  return { deliveries, isStored: outcome === 'suppressed' };
}

/** @returns `false`, with nothing written, if the contact has changed. */
export async function writePreferences(
  seen: Contact,
  update: PreferencesUpdate,
  reporting: ContactReporting,
): Promise<boolean> {
  const now = reporting.now();
  const deliverySettings = await deliverySettingsFor(seen.id, now, reporting);
  const lifted = update.liftsUnsubscribe && seen.unsubscribe ? [seen.unsubscribe] : [];
  const removed = lifted.map(({ at }) => ({ reason: 'unsubscribe', at }) as const);
  const deliveries = [
    ...deliveriesFor(preferencesEventOf(seen, update, now), seen.id, deliverySettings),
    ...suppressionDeliveries('suppression.removed', seen, removed, deliverySettings, now),
  ];
  const isStored = await storePreferences(reporting.table, seen, update, deliveries, now);
  if (isStored) await reporting.wakeWebhooks(deliveries);
  return isStored;
}

async function deliverySettingsFor(
  contactId: ContactId,
  now: number,
  { table, sendRetentionDays }: ContactReporting,
): Promise<DeliverySettings> {
  const organization = await getOrganization(table, organizationIdOf(contactId));
  return deliverySettingsOf(organization ?? { webhooks: {} }, sendRetentionDays, now);
}

const deliveriesFor = (
  event: WebhookEvent,
  contactId: ContactId,
  { subscriptions, expiresAt }: DeliverySettings,
) => deliveriesOf(event, { parent: contactId, expiresAt }, subscriptions, event.at);

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
  const isAsSeen = (name: 'email' | 'unsubscribe') =>
    seen[name] === undefined ? isAbsent(name) : isPresent(name);
  const change = updateIf(
    contactKey(seen.id),
    {
      set: { subscriptions, updatedAt: now },
      remove: update.liftsUnsubscribe ? ['unsubscribe'] : [],
    },
    [isAsSeen('email'), is('subscriptions', seen.subscriptions), isAsSeen('unsubscribe')],
  );
  const outcome = await transactWrite(table, [
    { Update: change },
    ...(update.liftsUnsubscribe ? [deleteSuppressionRecord(seen.id, 'unsubscribe')] : []),
    ...putDeliveries(deliveries),
  ]);
  return outcome.committed;
}
