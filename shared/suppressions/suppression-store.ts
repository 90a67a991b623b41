import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry, putIfEntered } from '#shared/audit/audit-store';
import type { ContactRef, SuppressionReason } from '#shared/contacts/contact';
import { contactCreation, toContact } from '#shared/contacts/contact-store';
import { withoutAddressInText } from '#shared/contacts/erased-address';
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
  type SuppressionDetails,
  type SuppressionRecord,
  suppressionRecordOf,
} from './suppression.ts';
import { type DeliverySettings, type Suppressed, suppressionDeliveries } from './suppression-outbox.ts';

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

type WrittenSuppression = {
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
  identity: string,
  reason: SuppressionReason,
  now: number,
  details: SuppressionDetails = {},
  alongside: Alongside = {},
): Promise<WrittenSuppression> {
  const id = contactIdOf(organizationId, identity);
  const record = suppressionRecordOf(identity, details, now);
  const written = await suppressContact(
    table,
    { id, email: identity },
    reason,
    { record },
    alongside,
    now,
  );
  if (written.outcome === 'unchanged') await noteOwnEvent(table, id, reason, details);
  if (written.outcome !== 'erased') return written;
  const nameless = withoutPerson(identity, details, now);
  return suppressContact(table, { id }, reason, { record: nameless }, alongside, now);
}

/**
 * Only if the organization has the contact. The person may have been erased, so the address isn't stored.
 *
 * @returns `unchanged` also without a contact.
 */
export function suppressKnownAddress(
  table: Table,
  organizationId: OrganizationId,
  identity: string,
  reason: SuppressionReason,
  now: number,
  details: SuppressionDetails = {},
  alongside: Alongside = {},
): Promise<WrittenSuppression> {
  const contact = { id: contactIdOf(organizationId, identity) };
  const record = withoutPerson(identity, details, now);
  return suppressContact(table, contact, reason, { record, createsMissing: false }, alongside, now);
}

async function suppressContact(
  table: Table,
  contact: ContactRef,
  reason: SuppressionReason,
  write: SuppressionWrite,
  { entry, deliverySettings }: Alongside,
  now: number,
): Promise<WrittenSuppression> {
  const suppressed = { ...write.record, reason };
  const deliveries = deliverySettings
    ? suppressionDeliveries('suppression.added', contact, [suppressed], deliverySettings, now)
    : [];
  const alsoWritten = [...putIfEntered(entry), ...putDeliveries(deliveries)];
  const outcome = await writeSuppression(table, contact, reason, now, write, alsoWritten);
  return { outcome, deliveries: outcome === 'suppressed' ? deliveries : [] };
}

/** The person's own choice, with the deliveries that report it. */
export const suppressUnsubscribed = (
  table: Table,
  contact: ContactRef,
  deliveries: readonly Delivery[],
  now: number,
  createsMissing: boolean,
): Promise<SuppressionOutcome> =>
  writeSuppression(
    table,
    contact,
    'unsubscribe',
    now,
    { record: { at: now }, createsMissing },
    putDeliveries(deliveries),
  );

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
  lifted: readonly Suppressed[],
  entry: AuditEntry,
  deliverySettings: DeliverySettings,
  now: number,
): Promise<readonly Delivery[] | undefined> {
  const reasons = lifted.map(({ reason }) => reason);
  const deliveries = suppressionDeliveries('suppression.removed', contact, lifted, deliverySettings, now);
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
  return removeSuppressions(table, { id: contact.id }, lifted, entry, deliverySettings, now);
}

/**
 * For a bounce after the address was imported: SES may list it now, so lifting must ask SES. The first cause stays.
 */
async function noteOwnEvent(
  table: Table,
  contactId: ContactId,
  reason: SuppressionReason,
  { providerMessageId }: SuppressionDetails,
): Promise<void> {
  if (providerMessageId === undefined) return;
  const note = updateIf(suppressionKey(contactId, reason), { set: { providerMessageId } }, [
    exists,
    isAbsent('providerMessageId'),
  ]);
  await writeIf(() => table.client.send(new UpdateCommand({ TableName: table.name, ...note })));
}

/** Writes contact, cause and everything with them: all or nothing. */
async function writeSuppression(
  table: Table,
  contact: ContactRef,
  reason: SuppressionReason,
  now: number,
  write: SuppressionWrite,
  alsoWritten: readonly TransactionItem[],
): Promise<SuppressionOutcome> {
  const { update, put } = suppression(contact, reason, now, write);
  const outcome = await transactWrite(table, [update, put, ...alsoWritten]);
  if (outcome.committed) return 'suppressed';
  const existing = outcome.conditions[0]?.item;
  return contact.email !== undefined && isErased(existing) ? 'erased' : 'unchanged';
}

export const withoutPerson = (
  identity: string,
  { address: _, diagnostic, ...details }: SuppressionDetails,
  now: number,
) =>
  suppressionRecordOf(
    undefined,
    { ...details, diagnostic: diagnostic && withoutAddressInText(diagnostic, identity) },
    now,
  );

type SuppressionWrite = {
  readonly record: SuppressionRecord;
  readonly createsMissing?: boolean;
};

const isErased = (existing: StoredItem | undefined): boolean =>
  existing !== undefined && toContact(existing).erasedAt !== undefined;

/** Both must go into one transaction. */
export function suppression(
  contact: ContactRef,
  reason: SuppressionReason,
  now: number,
  { record, createsMissing = true }: SuppressionWrite,
) {
  const { at, possible } = record;
  const isCertain = reason === 'complaint' && possible === undefined;
  const { set, setOnce } = contactCreation(contact, now);
  const change = { set: { ...set, [reason]: { at, ...(possible && { possible }) } }, setOnce };
  const update: TransactionItem = {
    Update: updateIf(contactKey(contact.id), change, [
      isCertain ? anyOf(isAbsent(reason), isPossible(reason)) : isAbsent(reason),
      ...(contact.email === undefined ? [] : [isAbsent('erasedAt')]),
      ...(createsMissing ? [] : [exists]),
    ]),
  };
  return { update, put: putSuppressionRecord(contact.id, reason, record) };
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
  reason: SuppressionReason,
  record: SuppressionRecord,
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
