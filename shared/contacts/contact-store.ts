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
import { type Contact, type ContactRef, contactSchema } from './contact.ts';
import type { PreferencesUpdate } from './preferences.ts';

const isThere = 'attribute_exists(pk)';

/** Sends and suppressions create a missing contact, so no order of events loses a write. */
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

/** The clauses of an update that create the contact if it is missing. They store its address if given. */
export const creationClausesOf = ({ email }: ContactRef): string[] =>
  email === undefined ? createIfAbsent : [...createIfAbsent, ...knowAddress];

export function creationValuesOf({ id, email }: ContactRef, now: number) {
  const created = { ':id': id, ':noSubscriptions': {}, ':now': now };
  if (email === undefined) return created;
  const { gsi1pk, gsi1sk } = contactIndexKey(email, id);
  return { ...created, ':email': email, ':gsi1pk': gsi1pk, ':gsi1sk': gsi1sk };
}

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
    UpdateExpression: `SET ${creationClausesOf(contact).join(', ')} REMOVE erasedAt`,
    ExpressionAttributeValues: creationValuesOf(contact, now),
  });
  await retryConflicts(() => table.client.send(update));
}

/**
 * Erases a person. The address and the preferences go. The suppressions stay under the digest, so a bad
 * address stays blocked without being known.
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

/** Reads a contact, strongly consistent. */
export async function getContact(table: Table, id: ContactId): Promise<Contact | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: contactKey(id), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : toContact(Item);
}

/** Finds the contacts of an address (`EmailAddress.identity`) in all organizations. */
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
 * Stores a change of one or more preferences and the webhook deliveries that tell of it: all of them or
 * none. `now` in epoch milliseconds.
 */
export async function storePreferences(
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
      ConditionExpression: isThere,
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

export const openContactStore = (table: Table) => ({
  ensure: (organizationId: OrganizationId, identity: string, now: number) =>
    ensureContact(table, organizationId, identity, now),
  get: (id: ContactId) => getContact(table, id),
  findIds: (identity: string) => findContactIds(table, identity),
  erase: (id: ContactId, now: number) => eraseContact(table, id, now),
});
export type ContactStore = ReturnType<typeof openContactStore>;
