import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '#shared/table/batch-get';
import { contactKey, contactListIndexKey, contactListPartitions } from '#shared/table/contact-keys';
import { retryConflicts, writeIf } from '#shared/table/single-write';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { type ContactId, contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import { isKnown, type KnownContact } from './contact.ts';
import { toContact } from './contact-store.ts';

/** Which contacts of an organization are asked for. */
export type ContactSelection = {
  /** How their addresses begin (`EmailAddress.identity`); empty for all. */
  readonly prefix: string;
  /** The address that the page before ended with. */
  readonly after?: string | undefined;
  /** At most 100. */
  readonly limit: number;
};

export type ContactPage = {
  /** By address. They may be fewer than the limit while the list has more: some are erased by now. */
  readonly contacts: readonly KnownContact[];
  /** The address where the next page begins; `undefined` at the end of the list. */
  readonly next: string | undefined;
};

/** Sorts after every text with the same beginning: DynamoDB compares the bytes of UTF-8. */
const last = '\u{10ffff}';

/** The first addresses of one partition. Each is asked for a whole page, as all of it may stand in one. */
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
        // A key may not be empty, and no address begins with this.
        ':first': after === undefined ? prefix || '\u0000' : `${after}\u0000`,
        ':last': `${prefix}${last}`,
      },
      Limit: limit,
    }),
  );
  return Items.map((item) => z.string().parse(item[sortKey]));
}

/** As DynamoDB sorts. JavaScript compares UTF-16, which has another order beyond the first 65,536 characters. */
const compareBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

export const openContactListStore = (table: Table) => ({
  /**
   * Puts a contact into its organization's list. Nothing is written when it is there already, or when the
   * address is another by now: that of a person who was erased does not come back.
   *
   * It is an attribute of the contact, so what erases the contact takes it off the list.
   */
  async index(id: ContactId, identity: string): Promise<void> {
    const { gsi2pk, gsi2sk } = contactListIndexKey(identity, id);
    const update = new UpdateCommand({
      TableName: table.name,
      Key: contactKey(id),
      UpdateExpression: 'SET gsi2pk = :gsi2pk, gsi2sk = :gsi2sk',
      ConditionExpression: 'email = :email AND attribute_not_exists(gsi2pk)',
      ExpressionAttributeValues: { ':gsi2pk': gsi2pk, ':gsi2sk': gsi2sk, ':email': identity },
    });
    await writeIf(() => retryConflicts(() => table.client.send(update)));
  },

  /**
   * Reads contacts of an organization by address. The contacts are read strongly consistent, the list is not: a
   * contact of the last seconds may be missing.
   */
  async read(
    organizationId: OrganizationId,
    { prefix, after, limit }: ContactSelection,
  ): Promise<ContactPage> {
    // One entry more than is shown tells whether the list goes on.
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
  },
});
export type ContactListStore = ReturnType<typeof openContactListStore>;
