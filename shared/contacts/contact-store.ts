import { GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
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
import { type Contact, contactSchema, type SuppressionReason } from './contact.ts';
import type { PreferencesUpdate } from './preferences.ts';

/** Every write of a contact creates it when it is not there yet, so none can be lost to an order of events. */
const createIfAbsent = [
  'id = if_not_exists(id, :id)',
  'email = if_not_exists(email, :email)',
  'subscriptions = if_not_exists(subscriptions, :noSubscriptions)',
  'createdAt = if_not_exists(createdAt, :now)',
  'updatedAt = :now',
  'gsi1pk = if_not_exists(gsi1pk, :gsi1pk)',
  'gsi1sk = if_not_exists(gsi1sk, :gsi1sk)',
];

type ContactRef = { readonly organizationId: OrganizationId; readonly identity: string };

/** Creates the contact of the address if the organization has none. `now` in epoch milliseconds. */
export async function ensureContact(table: Table, contact: ContactRef, now: number): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: contactKey(idOf(contact)),
    UpdateExpression: `SET ${createIfAbsent.join(', ')}`,
    ExpressionAttributeValues: createIfAbsentValues(contact, now),
  });
  await retryConflicts(() => table.client.send(update));
}

/** Suppresses the address. Idempotent: the first cause of each reason stays. */
export async function suppressContact(
  table: Table,
  contact: ContactRef,
  reason: SuppressionReason,
  now: number,
): Promise<void> {
  const update = new UpdateCommand(suppression(table, contact, reason, now));
  await retryConflicts(() => table.client.send(update));
}

const isNotUnsubscribed = 'attribute_not_exists(unsubscribe)';

/**
 * Unsubscribes the address, with the webhook outbox rows that tell of it.
 *
 * @returns whether it was subscribed until now; else nothing is written, and nobody told again.
 */
export async function unsubscribeContact(
  table: Table,
  contact: ContactRef,
  deliveries: readonly Delivery[],
  now: number,
): Promise<boolean> {
  const update = suppression(table, contact, 'unsubscribe', now);
  const outcome = await transactWrite(table, [
    { Update: { ...update, ConditionExpression: isNotUnsubscribed } },
    ...putDeliveries(table, deliveries),
  ]);
  return outcome.committed;
}

const suppression = (
  table: Table,
  contact: ContactRef,
  reason: SuppressionReason,
  now: number,
) => ({
  TableName: table.name,
  Key: contactKey(idOf(contact)),
  UpdateExpression: `SET ${createIfAbsent.join(', ')}, #reason = if_not_exists(#reason, :suppression)`,
  ExpressionAttributeNames: { '#reason': reason },
  ExpressionAttributeValues: {
    ...createIfAbsentValues(contact, now),
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

const idOf = ({ organizationId, identity }: ContactRef) => contactIdOf(organizationId, identity);

function createIfAbsentValues(contact: ContactRef, now: number) {
  const id = idOf(contact);
  const index = contactIndexKey(contact.identity, id);
  return {
    ':id': id,
    ':email': contact.identity,
    ':noSubscriptions': {},
    ':now': now,
    ':gsi1pk': index.gsi1pk,
    ':gsi1sk': index.gsi1sk,
  };
}
