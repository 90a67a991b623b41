import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry, putIfEntered } from '#shared/audit/audit-store';
import type { ContactRef, SuppressionReason } from '#shared/contacts/contact';
import { creationClausesOf, creationValuesOf, toContact } from '#shared/contacts/contact-store';
import { withoutAddressInText } from '#shared/contacts/erased-address';
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
import type { SuppressionRows } from './suppression-webhook-event.ts';

const isThere = 'attribute_exists(pk)';
const isKnown = 'attribute_exists(email)';
const isNotErased = 'attribute_not_exists(erasedAt)';
const isNew = 'attribute_not_exists(#reason)';
/** Also matches a possible complaint that is now confirmed. */
const isNewOrPossible = `(${isNew} OR #reason.possible = :possible)`;

/**
 * - `suppressed`: newly, for this reason.
 * - `unchanged`: it already was, or the organization has no such contact. Nothing is written: the first cause stays.
 * - `erased`: the person was erased, and the write has the address. Nothing is written.
 */
type SuppressionOutcome = 'suppressed' | 'unchanged' | 'erased';

export const openSuppressionStore = (table: Table) => ({
  ...openSuppressing(table),
  ...openChoices(table),
});
export type SuppressionStore = ReturnType<typeof openSuppressionStore>;

function openSuppressing(table: Table) {
  /**
   * Creates a missing contact. The first cause of each reason stays, except a possible complaint that is now confirmed.
   * An erased person's address isn't stored again.
   *
   * @param alongside is written with it, or not at all.
   */
  async function suppress(
    organizationId: OrganizationId,
    identity: string,
    reason: SuppressionReason,
    now: number,
    details: SuppressionDetails = {},
    alongside: Alongside = {},
  ): Promise<SuppressionOutcome> {
    const contact = { id: contactIdOf(organizationId, identity), email: identity };
    const known = suppressionRecordOf(identity, details, now);
    const write = (one: ContactRef, record: SuppressionRecord) =>
      writeSuppression(table, one, reason, now, { record, beside: besides(one, alongside) });
    const outcome = await write(contact, known);
    if (outcome === 'unchanged') await noteOwnEvent(contact.id, reason, details);
    if (outcome !== 'erased') return outcome;
    return write({ id: contact.id }, withoutPerson(identity, details, now));
  }

  const besides = (contact: ContactRef, { entry, rowsOf }: Alongside): TransactionItem[] => [
    ...putIfEntered(entry),
    ...putDeliveries(rowsOf?.(contact) ?? []),
  ];

  /**
   * Only if the organization has the contact. The person may have been erased, so the address isn't stored.
   *
   * @returns `unchanged` also without a contact.
   */
  const suppressKnown = (
    organizationId: OrganizationId,
    identity: string,
    reason: SuppressionReason,
    now: number,
    details: SuppressionDetails = {},
    alongside: Alongside = {},
  ): Promise<SuppressionOutcome> => {
    const contact = { id: contactIdOf(organizationId, identity) };
    return writeSuppression(table, contact, reason, now, {
      record: withoutPerson(identity, details, now),
      beside: besides(contact, alongside),
      createsMissing: false,
    });
  };

  /**
   * For a bounce after the address was imported: SES may list it now, so lifting must ask SES. The first cause stays.
   */
  async function noteOwnEvent(
    contactId: ContactId,
    reason: SuppressionReason,
    { providerMessageId }: SuppressionDetails,
  ): Promise<void> {
    if (providerMessageId === undefined) return;
    const note = new UpdateCommand({
      TableName: table.name,
      Key: suppressionKey(contactId, reason),
      UpdateExpression: 'SET providerMessageId = :message',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(providerMessageId)',
      ExpressionAttributeValues: { ':message': providerMessageId },
    });
    await writeIf(() => table.client.send(note));
  }

  return { suppress, suppressKnown };
}

type Alongside = {
  readonly entry?: AuditEntry;
  readonly rowsOf?: SuppressionRows;
};

function openChoices(table: Table) {
  const unsubscribe = (
    contact: ContactRef,
    deliveries: readonly Delivery[],
    now: number,
    createsMissing: boolean,
  ): Promise<SuppressionOutcome> =>
    writeSuppression(table, contact, 'unsubscribe', now, {
      record: { at: now },
      beside: putDeliveries(deliveries),
      createsMissing,
    });

  /**
   * Lifts suppressions with their causes, the audit entry and the webhook deliveries: all or nothing.
   *
   * @param contact as read. If the person was erased since, the report names no one.
   * @param reasons at least one.
   *
   * @returns `false` with nothing written, if one of them is lifted already.
   */
  async function lift(
    contact: ContactRef,
    reasons: readonly SuppressionReason[],
    entry: AuditEntry,
    now: number,
    rowsOf: SuppressionRows = () => [],
  ): Promise<boolean> {
    const rows = rowsOf(contact);
    const namesPerson = rows.length > 0 && contact.email !== undefined;
    const names = reasons.map((reason, index) => [`#reason${index}`, reason] as const);
    const areThere = names.map(([name]) => `attribute_exists(${name})`);
    const outcome = await transactWrite(table, [
      {
        Update: {
          Key: contactKey(contact.id),
          UpdateExpression: `SET updatedAt = :now REMOVE ${names.map(([name]) => name).join(', ')}`,
          ConditionExpression: [...areThere, ...(namesPerson ? [isKnown] : [])].join(' AND '),
          ExpressionAttributeNames: Object.fromEntries(names),
          ExpressionAttributeValues: { ':now': now },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      ...reasons.map((reason) => deleteSuppressionRecord(contact.id, reason)),
      putAuditEntry(entry),
      ...putDeliveries(rows),
    ]);
    if (outcome.committed) return true;
    const isErasedSince = namesPerson && isErased(outcome.conditions[0]?.item);
    return isErasedSince && lift({ id: contact.id }, reasons, entry, now, rowsOf);
  }

  return { unsubscribe, lift };
}

/** Writes contact, cause and everything with them: all or nothing. */
async function writeSuppression(
  table: Table,
  contact: ContactRef,
  reason: SuppressionReason,
  now: number,
  change: SuppressionWrite,
): Promise<SuppressionOutcome> {
  const { update, put } = suppression(contact, reason, now, change);
  const outcome = await transactWrite(table, [update, put, ...(change.beside ?? [])]);
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
  readonly beside?: readonly TransactionItem[];
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
  const isCertain = reason === 'complaint' && record.possible === undefined;
  const conditions = [
    isCertain ? isNewOrPossible : isNew,
    ...(contact.email === undefined ? [] : [isNotErased]),
    ...(createsMissing ? [] : [isThere]),
  ];
  const update: TransactionItem = {
    Update: {
      Key: contactKey(contact.id),
      UpdateExpression: `SET ${creationClausesOf(contact).join(', ')}, #reason = :suppression`,
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeNames: { '#reason': reason },
      ExpressionAttributeValues: {
        ...creationValuesOf(contact, now),
        ':suppression': { at: record.at, ...(record.possible && { possible: true }) },
        ...(isCertain && { ':possible': true }),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
  return { update, put: putSuppressionRecord(contact.id, reason, record) };
}

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
