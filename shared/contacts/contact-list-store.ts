import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { is, isAbsent, updateIf } from '#shared/table/conditional-update';
import { contactKey, contactListIndexKey, contactListPartitions } from '#shared/table/keys';
import { batchGet } from '#shared/table/reads';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { type ContactId, contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import { isKnown, type KnownContact } from './contact.ts';
import { toContact } from './contact-store.ts';

type ContactSelection = {
  /** `EmailAddress.identity`; empty for all. */
  readonly prefix: string;
  /** The last address of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
};

type ContactPage = {
  /** Sorted by address. May be short before the list ends, because erased contacts are left out. */
  readonly contacts: readonly KnownContact[];
  /** `undefined` at the end. */
  readonly next: string | undefined;
};

/** Sorts after every text with the same prefix: DynamoDB compares UTF-8 bytes. */
const last = '\u{10ffff}';

/** Each partition is asked for a whole page, because one may hold all of it. */
async function findAddresses(
  table: Table,
  partition: string,
  { prefix, after, limit }: ContactSelection,
): Promise<string[]> {
  const { name, partitionKey, sortKey } = tableIndexes.gsi2;
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: name,
      KeyConditionExpression: `${partitionKey} = :pk AND ${sortKey} BETWEEN :first AND :last`,
      ExpressionAttributeValues: {
        ':pk': partition,
        // A key can't be empty, and no address starts with this.
        ':first': after === undefined ? prefix || '\u0000' : `${after}\u0000`,
        ':last': `${prefix}${last}`,
      },
      Limit: limit,
    }),
  );
  return Items.map((item) => z.string().parse(item[sortKey]));
}

/** DynamoDB's order. JavaScript compares UTF-16, which orders characters beyond the first 65,536 differently. */
const compareBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

/**
 * Does nothing if the contact is listed already or its address has changed: an erased person's address doesn't come
 * back.
 *
 * The index key is an attribute of the contact, so erasing the contact takes it off the list.
 */
export async function indexContact(table: Table, id: ContactId, identity: string): Promise<void> {
  const update = updateIf(contactKey(id), { set: contactListIndexKey(identity, id) }, [
    is('email', identity),
    isAbsent('gsi2pk'),
  ]);
  await writeIf(() => table.client.send(new UpdateCommand({ TableName: table.name, ...update })));
}

/**
 * Sorted by address. Contacts are read strongly consistent, but the list isn't: contacts created in the last seconds
 * may be missing.
 */
export async function readContactPage(
  table: Table,
  organizationId: OrganizationId,
  { prefix, after, limit }: ContactSelection,
): Promise<ContactPage> {
  // One extra entry shows whether the list continues.
  const range = { prefix, after, limit: limit + 1 };
  const parts = await Promise.all(
    contactListPartitions(organizationId).map((partition) =>
      findAddresses(table, partition, range),
    ),
  );
  const found = [...new Set(parts.flat())].toSorted(compareBytes);
  const addresses = found.slice(0, limit);
  const keys = addresses.map((identity) => contactKey(contactIdOf(organizationId, identity)));
  const itemOf = await batchGet(table, keys);
  const contacts = keys.flatMap((key) => {
    const item = itemOf(key);
    const contact = item && toContact(item);
    return isKnown(contact) ? [contact] : [];
  });
  return { contacts, next: found.length > limit ? addresses.at(-1) : undefined };
}
