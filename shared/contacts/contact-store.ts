import { paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import { anyOf, isAbsent, isBelow, updateIf } from '#shared/table/conditional-update';
import { contactIndexKey, contactIndexPartition, contactKey } from '#shared/table/keys';
import { batchGet, getItem, readItem } from '#shared/table/reads';
import { tableIndexes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import { transactWrite, writeIf } from '#shared/table/writes';
import {
  type ContactId,
  contactIdOf,
  contactIdSchema,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { type Contact, type ContactRef, contactSchema, isKnown } from './contact.ts';

/** Creates a missing contact; an existing one stays, and its address is added unless it's there. */
export const contactCreation = ({ id, email }: ContactRef, now: number) => ({
  set: { updatedAt: now },
  setOnce: {
    id,
    subscriptions: {},
    createdAt: now,
    ...(email !== undefined && { email, ...contactIndexKey(email, id) }),
  },
});

export async function getContact(table: Table, id: ContactId): Promise<Contact | undefined> {
  const item = await getItem(table, contactKey(id));
  return item === undefined ? undefined : toContact(item);
}

/** The address's contacts in all organizations, by `EmailAddress.identity`. */
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

/** Those without a contact, and those who were erased. */
export async function findMissingContacts(
  table: Table,
  organizationId: OrganizationId,
  identities: readonly string[],
): Promise<readonly string[]> {
  const keyOf = (identity: string) => contactKey(contactIdOf(organizationId, identity));
  const itemOf = await batchGet(table, [...new Set(identities)].map(keyOf));
  return identities.filter((identity) => {
    const item = itemOf(keyOf(identity));
    return item === undefined || !isKnown(toContact(item));
  });
}

/**
 * Writes nothing if the person was erased since: a late confirmation must not bring the address back.
 *
 * @param mailedAt when the email that revealed the address was claimed.
 */
export async function ensureContact(
  table: Table,
  organizationId: OrganizationId,
  identity: string,
  mailedAt: number,
): Promise<void> {
  const contact = { id: contactIdOf(organizationId, identity), email: identity };
  const change = { ...contactCreation(contact, mailedAt), remove: ['erasedAt'] };
  const isNotErasedSince = anyOf(isAbsent('erasedAt'), isBelow('erasedAt', mailedAt));
  const update = updateIf(contactKey(contact.id), change, [isAbsent('email'), isNotErasedSince]);
  await writeIf(() => table.client.send(new UpdateCommand({ TableName: table.name, ...update })));
}

/** Only reads, unless contacts are missing. */
export async function ensureContacts(
  table: Table,
  organizationId: OrganizationId,
  identities: readonly string[],
  mailedAt: number,
): Promise<void> {
  const missing = await findMissingContacts(table, organizationId, identities);
  await Promise.all(
    missing.map((identity) => ensureContact(table, organizationId, identity, mailedAt)),
  );
}

/**
 * Suppressions stay under the digest, so a bad address stays blocked without being known. If there's no contact, the
 * erasure mark alone is stored: a late bounce would otherwise bring the address back.
 */
export async function eraseContact(
  table: Table,
  id: ContactId,
  now: number,
  entry?: AuditEntry,
): Promise<void> {
  const erase = updateIf(
    contactKey(id),
    {
      set: { subscriptions: {}, erasedAt: now, updatedAt: now },
      setOnce: { id, createdAt: now },
      remove: ['email', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'],
    },
    [],
  );
  await transactWrite(table, [{ Update: erase }, ...putIfEntered(entry)]);
}

export const toContact = (item: StoredItem): Contact => readItem('contact', contactSchema, item);
