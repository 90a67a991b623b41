import { GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeIf } from '#shared/table/condition-failure';
import { contactIndexKey, contactIndexPartition, contactKey } from '#shared/table/keys';
import { retryConflicts } from '#shared/table/retry-conflicts';
import { tableIndexes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import {
  type ContactId,
  contactIdOf,
  contactIdSchema,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import { type Contact, type ContactRef, contactSchema, type SuppressionReason } from './contact.ts';
import type { PreferencesUpdate } from './preferences.ts';

/** Every write of a contact creates it when it is not there yet, so none can be lost to an order of events. */
const createIfAbsent = [
  'id = if_not_exists(id, :id)',
  'subscriptions = if_not_exists(subscriptions, :noSubscriptions)',
  'createdAt = if_not_exists(createdAt, :now)',
  'updatedAt = :now',
];
const knowAddress = [
  'email = if_not_exists(email, :email)',
  'gsi1pk = if_not_exists(gsi1pk, :gsi1pk)',
  'gsi1sk = if_not_exists(gsi1sk, :gsi1sk)',
];

/** Creates the contact of the address if the organization has none. `now` in epoch milliseconds. */
export async function ensureContact(
  table: Table,
  organizationId: OrganizationId,
  identity: string,
  now: number,
): Promise<void> {
  const contact = { id: contactIdOf(organizationId, identity), email: identity };
  const update = new UpdateCommand({
    TableName: table.name,
    Key: contactKey(contact.id),
    UpdateExpression: `SET ${createdBy(contact).join(', ')} REMOVE erasedAt`,
    ExpressionAttributeValues: createdByValues(contact, now),
  });
  await retryConflicts(() => table.client.send(update));
}

/**
 * Suppresses the address, and creates its contact if the organization has none. Idempotent: the first
 * cause of each reason stays. The address of a person who was erased is not written again.
 */
export async function suppressContact(
  table: Table,
  organizationId: OrganizationId,
  identity: string,
  reason: SuppressionReason,
  now: number,
): Promise<void> {
  const isThere = await suppressKnownContact(table, organizationId, identity, reason, now);
  if (isThere) return;
  const contact = { id: contactIdOf(organizationId, identity), email: identity };
  const update = new UpdateCommand(suppression(table, contact, reason, now));
  await retryConflicts(() => table.client.send(update));
}

/**
 * Suppresses the address if the organization has a contact of it.
 *
 * @returns whether it has.
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

/**
 * Erases a person: the address and the preferences go, the suppressions stay under the digest, so that a
 * bad address stays blocked without being known.
 */
export async function eraseContact(table: Table, id: ContactId, now: number): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: contactKey(id),
    UpdateExpression:
      'SET subscriptions = :none, erasedAt = :now, updatedAt = :now REMOVE email, gsi1pk, gsi1sk',
    ConditionExpression: isThere,
    ExpressionAttributeValues: { ':none': {}, ':now': now },
  });
  await writeIf(() => retryConflicts(() => table.client.send(update)));
}

const isThere = 'attribute_exists(pk)';

const isNotUnsubscribed = 'attribute_not_exists(unsubscribe)';
const isNotErased = 'attribute_not_exists(erasedAt)';

/**
 * Unsubscribes the address, with the webhook outbox rows that tell of it. The address of a person who was
 * erased is not written again.
 *
 * @returns whether it was subscribed until now; else nothing is written, and nobody told again.
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
  UpdateExpression: `SET ${createdBy(contact).join(', ')}, #reason = if_not_exists(#reason, :suppression)`,
  ExpressionAttributeNames: { '#reason': reason },
  ExpressionAttributeValues: {
    ...createdByValues(contact, now),
    ':suppression': { at: now },
  },
});

/** Reads a contact, strongly consistent. */
export async function getContact(table: Table, id: ContactId): Promise<Contact | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: contactKey(id), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : toContact(Item);
}

/** The contacts with the address (`EmailAddress.identity`), in every organization that knows it. */
export async function findContactIds(table: Table, identity: string): Promise<ContactId[]> {
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk',
      ExpressionAttributeValues: { ':pk': contactIndexPartition(identity) },
    },
  );
  const ids: ContactId[] = [];
  for await (const page of pages) {
    ids.push(...(page.Items ?? []).map((item) => contactIdSchema.parse(item['gsi1sk'])));
  }
  return ids;
}

/**
 * Stores a change of one or more preferences with the webhook outbox rows that tell of it, all of it or
 * nothing. `now` in epoch milliseconds.
 */
export async function savePreferences(
  table: Table,
  id: ContactId,
  update: PreferencesUpdate,
  deliveries: readonly Delivery[],
  now: number,
): Promise<void> {
  const categories = Object.entries(update.subscriptions);
  const assignments = categories.map(
    (_, index) => `subscriptions.#category${index} = :value${index}`,
  );
  const lifted = update.liftsUnsubscribe ? ' REMOVE unsubscribe' : '';
  const change = {
    Update: {
      TableName: table.name,
      Key: contactKey(id),
      UpdateExpression: `SET ${['#updatedAt = :now', ...assignments].join(', ')}${lifted}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: {
        '#updatedAt': 'updatedAt',
        ...Object.fromEntries(categories.map(([key], index) => [`#category${index}`, key])),
      },
      ExpressionAttributeValues: {
        ':now': now,
        ...Object.fromEntries(categories.map(([, value], index) => [`:value${index}`, value])),
      },
    },
  };
  const outcome = await transactWrite(table, [change, ...putDeliveries(table, deliveries)]);
  if (!outcome.committed) throw new Error('The contact is gone, or the event was told already');
}

/** @throws ZodError when the stored item is not a contact. */
export const toContact = (item: StoredItem): Contact => contactSchema.parse(item);

const createdBy = ({ email }: ContactRef): string[] =>
  email === undefined ? createIfAbsent : [...createIfAbsent, ...knowAddress];

function createdByValues({ id, email }: ContactRef, now: number) {
  const created = { ':id': id, ':noSubscriptions': {}, ':now': now };
  if (email === undefined) return created;
  const { gsi1pk, gsi1sk } = contactIndexKey(email, id);
  return { ...created, ':email': email, ':gsi1pk': gsi1pk, ':gsi1sk': gsi1sk };
}

export const openContactStore = (table: Table) => ({
  ensure: (organizationId: OrganizationId, identity: string, now: number) =>
    ensureContact(table, organizationId, identity, now),
  suppress: (
    organizationId: OrganizationId,
    identity: string,
    reason: SuppressionReason,
    now: number,
  ) => suppressContact(table, organizationId, identity, reason, now),
  /** Only if there is a contact of it. */
  suppressKnown: (
    organizationId: OrganizationId,
    identity: string,
    reason: SuppressionReason,
    now: number,
  ) => suppressKnownContact(table, organizationId, identity, reason, now),
  erase: (id: ContactId, now: number) => eraseContact(table, id, now),
});
export type ContactStore = ReturnType<typeof openContactStore>;
