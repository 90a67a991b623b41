import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeIf } from '#shared/table/condition-failure';
import { contactKey } from '#shared/table/keys';
import { retryConflicts } from '#shared/table/retry-conflicts';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import { contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import type { ContactRef } from './contact.ts';
import { creationClausesOf, creationValuesOf, toContact } from './contact-store.ts';
import type { SuppressionReason } from './suppression.ts';

const isThere = 'attribute_exists(pk)';
const isNotErased = 'attribute_not_exists(erasedAt)';

/**
 * Suppresses an address. Creates its contact if the organization has none. Idempotent: the first cause of
 * each reason stays. The address of an erased person is not stored again.
 */
export async function suppressContact(
  table: Table,
  organizationId: OrganizationId,
  identity: string,
  reason: SuppressionReason,
  now: number,
): Promise<void> {
  const contact = { id: contactIdOf(organizationId, identity), email: identity };
  const update = new UpdateCommand({
    ...suppression(table, contact, reason, now),
    ConditionExpression: isNotErased,
  });
  const outcome = await writeIf(() => retryConflicts(() => table.client.send(update)));
  if (!outcome.written) await suppressKnownContact(table, organizationId, identity, reason, now);
}

/**
 * Suppresses an address if the organization has a contact for it.
 *
 * @returns whether it has one.
 */
export async function suppressKnownContact(
  table: Table,
  organizationId: OrganizationId,
  identity: string,
  reason: SuppressionReason,
  now: number,
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: contactKey(contactIdOf(organizationId, identity)),
    UpdateExpression: 'SET #reason = if_not_exists(#reason, :suppression), updatedAt = :now',
    ConditionExpression: isThere,
    ExpressionAttributeNames: { '#reason': reason },
    ExpressionAttributeValues: { ':suppression': { at: now }, ':now': now },
  });
  const outcome = await writeIf(() => retryConflicts(() => table.client.send(update)));
  return outcome.written;
}

const isNotUnsubscribed = 'attribute_not_exists(unsubscribe)';

/**
 * What became of an unsubscription.
 *
 * - `unsubscribed`: the address was subscribed until now.
 * - `unchanged`: it was not, or the organization has no such contact. Nothing is written.
 * - `erased`: the person was erased, and the write has the address. Nothing is written.
 */
export type UnsubscribeOutcome = 'unsubscribed' | 'unchanged' | 'erased';

/**
 * Unsubscribes a contact and stores the webhook deliveries that tell of it: all of them or none.
 *
 * @param createsMissing whether a contact that is missing is created.
 */
export async function unsubscribeContact(
  table: Table,
  contact: ContactRef,
  deliveries: readonly Delivery[],
  now: number,
  createsMissing: boolean,
): Promise<UnsubscribeOutcome> {
  const hasAddress = contact.email !== undefined;
  const conditions = [
    isNotUnsubscribed,
    ...(hasAddress ? [isNotErased] : []),
    ...(createsMissing ? [] : [isThere]),
  ];
  const outcome = await transactWrite(table, [
    {
      Update: {
        ...suppression(table, contact, 'unsubscribe', now),
        ConditionExpression: conditions.join(' AND '),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    ...putDeliveries(table, deliveries),
  ]);
  if (outcome.committed) return 'unsubscribed';
  const standing = outcome.conditions[0]?.item;
  const isErased = standing !== undefined && toContact(standing).erasedAt !== undefined;
  return hasAddress && isErased ? 'erased' : 'unchanged';
}

const suppression = (
  table: Table,
  contact: ContactRef,
  reason: SuppressionReason,
  now: number,
) => ({
  TableName: table.name,
  Key: contactKey(contact.id),
  UpdateExpression: `SET ${creationClausesOf(contact).join(', ')}, #reason = if_not_exists(#reason, :suppression)`,
  ExpressionAttributeNames: { '#reason': reason },
  ExpressionAttributeValues: {
    ...creationValuesOf(contact, now),
    ':suppression': { at: now },
  },
});

export const openSuppressionStore = (table: Table) => ({
  suppress: (
    organizationId: OrganizationId,
    identity: string,
    reason: SuppressionReason,
    now: number,
  ) => suppressContact(table, organizationId, identity, reason, now),
  /** Only if the organization has a contact for the address. */
  suppressKnown: (
    organizationId: OrganizationId,
    identity: string,
    reason: SuppressionReason,
    now: number,
  ) => suppressKnownContact(table, organizationId, identity, reason, now),
});
export type SuppressionStore = ReturnType<typeof openSuppressionStore>;
