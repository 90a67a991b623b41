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
  const wasKnown = await suppressKnownContact(table, organizationId, identity, reason, now);
  if (wasKnown) return;
  const contact = { id: contactIdOf(organizationId, identity), email: identity };
  const update = new UpdateCommand(suppression(table, contact, reason, now));
  await retryConflicts(() => table.client.send(update));
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
const isNotErased = 'attribute_not_exists(erasedAt)';

/**
 * Unsubscribes an address and stores the webhook deliveries that tell of it. The address of an erased
 * person is not stored again.
 *
 * @returns whether the address was subscribed until now. If not, nothing is written and nobody is told.
 */
export async function unsubscribeContact(
  table: Table,
  contact: ContactRef,
  deliveries: readonly Delivery[],
  now: number,
): Promise<boolean> {
  const writesAddress = contact.email !== undefined;
  const conditions = writesAddress ? [isNotUnsubscribed, isNotErased] : [isNotUnsubscribed];
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
  if (outcome.committed) return true;
  const standing = outcome.conditions[0]?.item;
  const isErased = standing !== undefined && toContact(standing).erasedAt !== undefined;
  if (!writesAddress || !isErased) return false;
  return unsubscribeContact(table, { id: contact.id }, deliveries, now);
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
