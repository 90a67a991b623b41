import { DeleteCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { exists, isAbsent, onlyIf, updateIf } from '#shared/table/conditional-update';
import { isExpired } from '#shared/table/expiry';
import { dueMailedLinkIndexKey, dueMailedLinksPartition, mailedLinkKey } from '#shared/table/keys';
import { batchGet, getItem, readItem } from '#shared/table/reads';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { transactWrite, writeIf } from '#shared/table/writes';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { type MadeLink, type MailedLink, mailedLinkSchema } from './mailed-link.ts';
import { isEqualHash } from './sign-in.ts';

/** It waits to be mailed, unless it's made. */
export async function storeMailedLink(table: Table, link: MailedLink): Promise<void> {
  const { id, askedAt, made } = link;
  const due = made === undefined && dueMailedLinkIndexKey(id, askedAt);
  const Item = { ...mailedLinkKey(id), ...due, ...link };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
}

/** The link that this text opens; `undefined` if they open none anymore. */
export async function findMailedLink(
  table: Table,
  presented: { readonly id: string; readonly secretHash: string },
  now: number,
): Promise<MadeLink | undefined> {
  const item = await getItem(table, mailedLinkKey(presented.id));
  if (item === undefined || isExpired(item, now)) return undefined;
  const { made, ...link } = readItem('mailed link', mailedLinkSchema, item);
  if (made === undefined || !isEqualHash(made.secretHash, presented.secretHash)) return undefined;
  return { ...link, made };
}

/** How many are mailed at once. */
const pageSize = 25;

const entrySchema = z.object({ pk: z.string(), sk: z.string() });

/**
 * In pages, longest waiting first. Expired ones, too: whoever can't get them away before they expire has to end them.
 *
 * @param onUnread gets what can't be read: it holds up no other link, and expires.
 */
export async function* findDueMailedLinks(
  table: Table,
  onUnread: (error: unknown) => void,
): AsyncGenerator<readonly MailedLink[], void, undefined> {
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: tableIndexes.gsi1.name,
        KeyConditionExpression: 'gsi1pk = :pk',
        ExpressionAttributeValues: { ':pk': dueMailedLinksPartition },
        Limit: pageSize,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    const keys = Items.map((item) => entrySchema.parse(item));
    const itemOf = keys.length > 0 ? await batchGet(table, keys) : () => undefined;
    yield keys.flatMap((key) => {
      const item = itemOf(key);
      try {
        return item ? [readItem('mailed link', mailedLinkSchema, item)] : [];
      } catch (error) {
        onUnread(error);
        return [];
      }
    });
    start = LastEvaluatedKey;
  } while (start !== undefined);
}

/** @returns whether this run made it: two may have found it due. */
export async function makeMailedLink(table: Table, link: MadeLink, now: number): Promise<boolean> {
  const { keyId } = link.made;
  const change = { action: 'sign_in_link.created', target: keyId } as const;
  const entry = newAuditEntry(organizationIdOf(keyId), 'anybody', change, now);
  const { committed } = await transactWrite(table, [
    {
      Update: updateIf(mailedLinkKey(link.id), { set: { made: link.made } }, [
        exists,
        isAbsent('made'),
      ]),
    },
    putAuditEntry(entry),
  ]);
  return committed;
}

/** Its email is on its way: no run finds it anymore. */
export async function settleMailedLink(table: Table, { id }: MailedLink): Promise<void> {
  const update = updateIf(mailedLinkKey(id), { remove: ['gsi1pk', 'gsi1sk'] }, [exists]);
  await writeIf(() => table.client.send(new UpdateCommand({ TableName: table.name, ...update })));
}

/** @returns whether it was there: a link works once. */
export async function takeMailedLink(table: Table, { id }: MailedLink): Promise<boolean> {
  const taking = { TableName: table.name, Key: mailedLinkKey(id), ...onlyIf(exists) };
  const { written } = await writeIf(() => table.client.send(new DeleteCommand(taking)));
  return written;
}
