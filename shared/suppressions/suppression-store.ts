import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry, putIfEntered } from '#shared/audit/audit-store';
import type { ContactRef, SuppressionReason } from '#shared/contacts/contact';
import { contactCreation, toContact } from '#shared/contacts/contact-store';
import {
  anyOf,
  type Clause,
  exists,
  isAbsent,
  isPresent,
  updateIf,
} from '#shared/table/conditional-update';
import { contactKey, suppressionKey, suppressionListIndexKey } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite, writeIf } from '#shared/table/writes';
import { type ContactId, contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { putDeliveries } from '#shared/webhook-deliveries/delivery-store';
import {
  causeOf,
  type NewSuppression,
  namelessCauseOf,
  type SuppressionCause,
} from './suppression.ts';
import { type DeliverySettings, suppressionDeliveries } from './suppression-outbox.ts';

/**
 * - `suppressed`: newly, for this reason.
 * - `unchanged`: it already was, or the organization has no such contact. Nothing is written: the first cause stays.
 * - `erased`: the person was erased, and the write has the address. Nothing is written.
 */
type SuppressionOutcome = 'suppressed' | 'unchanged' | 'erased';

/** Written with the suppression, or not at all. Without `deliverySettings`, webhooks don't report it. */
type Alongside = {
  readonly entry?: AuditEntry;
  readonly deliverySettings?: DeliverySettings;
};

type SuppressionResult = {
  readonly outcome: SuppressionOutcome;
  /** Those that were written; wake the queue with them. */
  readonly deliveries: readonly Delivery[];
};

/**
 * Creates a missing contact. The first cause of each reason stays, except a possible complaint that is now confirmed.
 * An erased person's address isn't stored again.
 */
export async function suppressAddress(
  table: Table,
  organizationId: OrganizationId,
  suppression: NewSuppression,
  now: number,
  alongside: Alongside = {},
): Promise<SuppressionResult> {
  const { identity } = suppression;
  const id = contactIdOf(organizationId, identity);
  const cause = causeOf(suppression, now);
  const named = { contact: { id, email: identity }, cause };
  const written = await suppressContact(table, named, now, alongside);
  if (written.outcome === 'unchanged') await noteOwnEvent(table, id, cause);
  if (written.outcome !== 'erased') return written;
  const nameless = { contact: { id }, cause: namelessCauseOf(suppression, now) };
  return suppressContact(table, nameless, now, alongside);
}

/**
 * Only if the organization has the contact. The person may have been erased, so the address isn't stored.
 *
 * @returns `unchanged` also without a contact.
 */
export function suppressKnownAddress(
  table: Table,
  organizationId: OrganizationId,
  suppression: NewSuppression,
  now: number,
  alongside: Alongside = {},
): Promise<SuppressionResult> {
  const contact = { id: contactIdOf(organizationId, suppression.identity) };
  const cause = namelessCauseOf(suppression, now);
  return suppressContact(table, { contact, cause, createsMissing: false }, now, alongside);
}

async function suppressContact(
  table: Table,
  suppression: ContactSuppression,
  now: number,
  { entry, deliverySettings }: Alongside,
): Promise<SuppressionResult> {
  const { contact, cause } = suppression;
  const deliveries = deliverySettings
    ? suppressionDeliveries('suppression.added', contact, [cause], deliverySettings, now)
    : [];
  const alsoWritten = [...putIfEntered(entry), ...putDeliveries(deliveries)];
  const outcome = await writeSuppression(table, suppression, now, alsoWritten);
  return { outcome, deliveries: outcome === 'suppressed' ? deliveries : [] };
}

type Unsubscribing = {
  /** They report the person's choice. */
  readonly deliveries: readonly Delivery[];
  readonly createsMissing: boolean;
};

/** The person's own choice. */
export const suppressUnsubscribed = (
  table: Table,
  contact: ContactRef,
  now: number,
  { deliveries, createsMissing }: Unsubscribing,
): Promise<SuppressionOutcome> => {
  const cause = { reason: 'unsubscribe', at: now } as const;
  return writeSuppression(
    table,
    { contact, cause, createsMissing },
    now,
    putDeliveries(deliveries),
  );
};

/**
 * Lifts suppressions with their causes, the audit entry and the webhook deliveries: all or nothing.
 *
 * @param contact as read. If the person was erased since, the report names no one.
 * @param lifted at least one.
 *
 * @returns the deliveries; `undefined` with nothing written, if one of the suppressions is lifted already.
 */
export async function removeSuppressions(
  table: Table,
  contact: ContactRef,
  lifted: readonly SuppressionCause[],
  now: number,
  alongside: Required<Alongside>,
): Promise<readonly Delivery[] | undefined> {
  const { entry, deliverySettings } = alongside;
  const reasons = lifted.map(({ reason }) => reason);
  const deliveries = suppressionDeliveries(
    'suppression.removed',
    contact,
    lifted,
    deliverySettings,
    now,
  );
  const namesPerson = deliveries.length > 0 && contact.email !== undefined;
  const change = updateIf(contactKey(contact.id), { set: { updatedAt: now }, remove: reasons }, [
    ...reasons.map(isPresent),
    ...(namesPerson ? [isPresent('email')] : []),
  ]);
  const outcome = await transactWrite(table, [
    { Update: change },
    ...reasons.map((reason) => deleteSuppressionRecord(contact.id, reason)),
    putAuditEntry(entry),
    ...putDeliveries(deliveries),
  ]);
  if (outcome.committed) return deliveries;
  const isErasedSince = namesPerson && isErased(outcome.conditions[0]?.item);
  if (!isErasedSince) return undefined;
  return removeSuppressions(table, { id: contact.id }, lifted, now, alongside);
}

/**
 * For a bounce after the address was imported: SES may list it now, so lifting must ask SES. The first cause stays.
 */
async function noteOwnEvent(
  table: Table,
  contactId: ContactId,
  { reason, providerMessageId }: SuppressionCause,
): Promise<void> {
  if (providerMessageId === undefined) return;
  const note = updateIf(suppressionKey(contactId, reason), { set: { providerMessageId } }, [
    exists,
    isAbsent('providerMessageId'),
  ]);
  await writeIf(() => table.client.send(new UpdateCommand({ TableName: table.name, ...note })));
}

/** What one cause does to a contact. */
type ContactSuppression = {
  readonly contact: ContactRef;
  readonly cause: SuppressionCause;
  /** By default it does. */
  readonly createsMissing?: boolean;
};

/** Writes contact, cause and everything with them: all or nothing. */
async function writeSuppression(
  table: Table,
  suppression: ContactSuppression,
  now: number,
  alsoWritten: readonly TransactionItem[],
): Promise<SuppressionOutcome> {
  const outcome = await transactWrite(table, [
    ...suppressionWrites(suppression, now),
    ...alsoWritten,
  ]);
  if (outcome.committed) return 'suppressed';
  const existing = outcome.conditions[0]?.item;
  return suppression.contact.email !== undefined && isErased(existing) ? 'erased' : 'unchanged';
}

const isErased = (existing: StoredItem | undefined): boolean =>
  existing !== undefined && toContact(existing).erasedAt !== undefined;

/** The contact first, then the record of the cause. Both must go into one transaction. */
export function suppressionWrites(
  { contact, cause, createsMissing = true }: ContactSuppression,
  now: number,
): TransactionItem[] {
  const { reason, at, possible } = cause;
  const isCertain = reason === 'complaint' && possible === undefined;
  const { set, setOnce } = contactCreation(contact, now);
  const change = { set: { ...set, [reason]: { at, ...(possible && { possible }) } }, setOnce };
  const update = updateIf(contactKey(contact.id), change, [
    isCertain ? anyOf(isAbsent(reason), isPossible(reason)) : isAbsent(reason),
    ...(contact.email === undefined ? [] : [isAbsent('erasedAt')]),
    ...(createsMissing ? [] : [exists]),
  ]);
  return [{ Update: update }, putSuppressionRecord(contact.id, cause)];
}

/** A complaint on record may be another recipient's. This one confirms it. */
const isPossible =
  (reason: SuppressionReason): Clause =>
  (place) => ({
    text: `#${place}.possible = :${place}`,
    names: { [`#${place}`]: reason },
    values: { [`:${place}`]: true },
  });

/** Must go into the transaction that suppresses. */
const putSuppressionRecord = (
  contactId: ContactId,
  { reason, ...record }: SuppressionCause,
): TransactionItem => ({
  Put: {
    Item: {
      ...suppressionKey(contactId, reason),
      ...suppressionListIndexKey(contactId, reason, record.at),
      ...record,
    },
  },
});

/** Must go into the transaction that lifts. */
export const deleteSuppressionRecord = (
  contactId: ContactId,
  reason: SuppressionReason,
): TransactionItem => ({
  Delete: { Key: suppressionKey(contactId, reason) },
});
