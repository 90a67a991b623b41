import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { creationOf } from '#shared/email/ses-message-id';
import { ownerOfDomain } from '#shared/identity/domain-store';
import type { Send } from '#shared/sending/send';
import { readSend } from '#shared/sending/send-items';
import { isExpired } from '#shared/table/expiry';
import type { Key } from '#shared/table/keys';
import { batchGet } from '#shared/table/reads';
import { providerMessageIndexKey, sendKey, sendSortKey, slotIdAt } from '#shared/table/send-keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import {
  type FeedbackId,
  freedSlotIdOf,
  type OrganizationId,
  organizationIdOf,
  ownId,
  type SendId,
  type SlotId,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { readSends, type SendPosition } from './send-list-store.ts';

// Sends by id, message id or idempotency key: within one organization unless stated otherwise.

const indexEntrySchema = z.object({ pk: z.string(), sk: z.string() });

/** The key of the item that holds a message, if the message has an index entry. */
async function findEntry(table: Table, providerMessageId: string): Promise<Key | undefined> {
  const key = providerMessageIndexKey(providerMessageId);
  const { Items } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk = :sk',
      ExpressionAttributeValues: { ':pk': key.gsi1pk, ':sk': key.gsi1sk },
      Limit: 1,
    }),
  );
  return indexEntrySchema.safeParse(Items?.[0]).data;
}

/**
 * Looks through the sends made at the time the id contains, to within seconds. The slower an organization sends, the
 * fewer are read.
 */
async function findByCreation(
  table: Table,
  organizationId: OrganizationId,
  providerMessageId: string,
  now: number,
): Promise<Send | undefined> {
  const creation = creationOf(providerMessageId);
  if (creation === undefined) return undefined;
  const matches = (send: Send) => send.providerMessageId === providerMessageId;
  let before: SendPosition | undefined;
  do {
    const selection = { ...creation, before, limit: 1, matches };
    const { found, next } = await readSends(table, organizationId, selection, () => now);
    if (found[0] !== undefined) return found[0];
    before = next;
  } while (before !== undefined);
  return undefined;
}

/** Another send may have claimed the slot since the index was read; it has a different message. */
const isMessage = (item: StoredItem | undefined, providerMessageId: string, now: number): boolean =>
  item?.['providerMessageId'] === providerMessageId && !isExpired(item, now);

async function findInSlot(table: Table, slotId: SlotId, now: number): Promise<Send | undefined> {
  const key = sendKey(slotId);
  return readSend((await batchGet(table, [key]))(key), now);
}

export async function findSendById(
  table: Table,
  organizationId: OrganizationId,
  id: SendId | FeedbackId,
  now: number,
): Promise<Send | undefined> {
  const own = ownId<SendId | FeedbackId>(id, organizationId);
  const send = own && (await findInSlot(table, slotIdIn(own), now));
  return send?.id === id || send?.feedbackId === id ? send : undefined;
}

/** The indexes may miss a message committed a moment ago. */
export async function findSendByMessage(
  table: Table,
  organizationId: OrganizationId,
  providerMessageId: string,
  now: number,
): Promise<Send | undefined> {
  const entry = await findEntry(table, providerMessageId);
  if (entry === undefined) return findByCreation(table, organizationId, providerMessageId, now);
  const isOwn = organizationIdOf(slotIdAt(entry.pk)) === organizationId;
  return isOwn ? sendOfEntry(table, entry, providerMessageId, now) : undefined;
}

/** In any organization. Without an index entry, looks at the owner of the domain that sent the message. */
export async function findSendByMessageFrom(
  table: Table,
  domain: string | undefined,
  providerMessageId: string,
  now: number,
): Promise<Send | undefined> {
  const entry = await findEntry(table, providerMessageId);
  if (entry !== undefined) return sendOfEntry(table, entry, providerMessageId, now);
  if (domain === undefined || creationOf(providerMessageId) === undefined) return undefined;
  const owner = await ownerOfDomain(table, domain);
  return owner && findByCreation(table, owner, providerMessageId, now);
}

async function sendOfEntry(
  table: Table,
  entry: Key,
  providerMessageId: string,
  now: number,
): Promise<Send | undefined> {
  const key = sendKey(slotIdAt(entry.pk));
  const itemOf = await batchGet(table, entry.sk === sendSortKey ? [key] : [key, entry]);
  return isMessage(itemOf(entry), providerMessageId, now) ? readSend(itemOf(key), now) : undefined;
}

/** If the key was freed and not used again, finds its first send. */
export async function findSendByIdempotencyKey(
  table: Table,
  organizationId: OrganizationId,
  idempotencyKey: string,
  mode: { readonly isTest: boolean },
  now: number,
): Promise<Send | undefined> {
  const first = await findInSlot(table, slotIdOf(organizationId, idempotencyKey, mode), now);
  if (first?.freed === undefined) return first;
  return (await findInSlot(table, freedSlotIdOf(first.id, first.freed), now)) ?? first;
}
