import * as z from 'zod/mini';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { isExpired } from '#shared/table/expiry';
import type { Key } from '#shared/table/keys';
import { readItem } from '#shared/table/read-item';
import {
  furtherRecipientKey,
  messageKey,
  providerMessageIndexKey,
  recipientIndexKey,
  sendKey,
  sendListIndexKey,
  slotIdAt,
  waitingIndexKey,
} from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { ItemCondition, TransactionItem } from '#shared/table/transact-write';
import {
  apiKeyIdOf,
  apiKeyOwnPart,
  contactIdOf,
  feedbackIdOf,
  organizationIdOf,
  ownPartIn,
  sendIdOf,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { type Acceptance, addressesIn, isTestSend, type Send, sendSchema } from './send.ts';

// The clauses of conditions on a send, named so that a condition reads as a sentence.

/** No other send has taken the slot. */
export const isSameSend = 'nonce = :nonce';
export const isSameAttempt = 'attempt = :attempt';
/** Nothing else of the send was claimed, moved or called off since it was seen. */
export const isSameClaim = 'claimId = :claimId';
/** A manager hasn't freed its idempotency key. */
export const hasItsKey = 'attribute_not_exists(freed)';
export const isSending = '#status = :sending';
export const isSent = '#status = :sent';
/** No proof that SES has the email, short of its message id: see `provenAt` in `send.ts`. */
export const isNotProven = 'attribute_not_exists(provenAt)';
type Names = Pick<Send, 'toEmail' | 'moreTo' | 'cc' | 'bcc' | 'subject' | 'metadata'>;

/** Nobody was erased from the send since it was seen. Webhook bodies name people by these fields only. */
export const isNamedAsSeen = (send: Names): string =>
  Object.keys(seenNames(send))
    .map((name) => `${name} = :${name}`)
    .join(' AND ');
export const namesOf = (send: Names): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(seenNames(send)).map(([name, seen]) => [`:${name}`, seen]));

/** As the item has them: without empty lists. */
const seenNames = ({ toEmail, subject, metadata, moreTo, cc, bcc }: Names) => ({
  toEmail,
  subject,
  ...withoutEmpty({ moreTo, cc, bcc }),
  ...(metadata && { metadata }),
});
export const hasNoMessage = 'attribute_not_exists(providerMessageId)';
export const hasThisMessage = 'providerMessageId = :providerMessageId';
export const hasSameStatus = '#status = :status';

const storedSchema = z.object({
  pk: z.string(),
  nonce: z.string(),
  /** The own part of the key's id: the organization is in the partition key. */
  apiKey: z.optional(z.string()),
});

/**
 * Makes the one item of a send. Ids follow from the key and the nonce, and empty lists are left out, so a
 * typical item stays below 1,024 bytes: one write unit.
 */
export function toSendItem(send: Send): StoredItem {
  const {
    id,
    feedbackId: _,
    apiKeyId,
    moreTo,
    cc,
    bcc,
    suppressedRecipients,
    attempts,
    ...attributes
  } = send;
  const slotId = slotIdIn(id);
  return {
    ...keyOf(send),
    ...sendListIndexKey(slotId, send.createdAt, modeOf(send)),
    ...recipientIndexKeyOf(send),
    ...(send.dueAt !== undefined && waitingIndexKey(slotId, send.dueAt)),
    nonce: ownPartIn(id),
    ...(apiKeyId !== undefined && { apiKey: apiKeyOwnPart(apiKeyId) }),
    ...attributes,
    ...withoutEmpty({ moreTo, cc, bcc, suppressedRecipients, attempts }),
  };
}

export function toSend(item: StoredItem): Send {
  const { pk, nonce, apiKey } = readItem('send', storedSchema, item);
  const id = sendIdOf(slotIdAt(pk), nonce);
  const apiKeyId = apiKey && apiKeyIdOf(organizationIdOf(id), apiKey);
  return readItem('send', sendSchema, { ...item, id, feedbackId: feedbackIdOf(id), apiKeyId });
}

/** The send of an item that was read, unless expired. */
export const readSend = (item: StoredItem | undefined, now: number): Send | undefined =>
  item === undefined || isExpired(item, now) ? undefined : toSend(item);

export const keyOf = ({ id }: Pick<Send, 'id'>): Key => sendKey(slotIdIn(id));

/** A send whose address was erased is not in the index of recipients. */
function recipientIndexKeyOf({ id, toEmail, createdAt, test }: Send) {
  const identity = recipientIdentityOf(toEmail);
  if (identity === undefined) return {};
  const contactId = contactIdOf(organizationIdOf(id), identity);
  return recipientIndexKey(contactId, slotIdIn(id), createdAt, modeOf({ test }));
}

/**
 * Entries that lead to a send from everybody whom it names beside its first `to`, which the send's own item leads to.
 * They are written with each claim, so that nobody's email can't be found; most sends have none.
 *
 * @param before the attempt that this claim follows: its `to` keeps leading here.
 */
export function putFurtherRecipients(
  table: Table,
  send: Send,
  before?: Pick<Send, 'toEmail'>,
): TransactionItem[] {
  const { id, createdAt, expiresAt } = send;
  const slotId = slotIdIn(id);
  const first = recipientIdentityOf(send.toEmail);
  const named = [...addressesIn(send), ...(before ? [before.toEmail] : [])];
  const identities = new Set(named.flatMap((address) => recipientIdentityOf(address) ?? []));
  return [...identities]
    .filter((identity) => identity !== first)
    .map((identity) => {
      const contactId = contactIdOf(organizationIdOf(id), identity);
      const entry = recipientIndexKey(contactId, slotId, createdAt, modeOf(send));
      const Item = { ...furtherRecipientKey(slotId, contactId), ...entry, expiresAt };
      return { Put: { TableName: table.name, Item } };
    });
}

const modeOf = (send: Pick<Send, 'test'>) => ({ isTest: isTestSend(send) });

const withoutEmpty = (lists: Readonly<Record<string, readonly unknown[]>>): StoredItem =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

/**
 * Marks a send that is still `sent` with the message it was seen with. `at` in epoch milliseconds.
 *
 * @param asNamed also requires its recipient as it was seen: see `commitAcceptance`.
 */
export const touchSent = (
  table: Table,
  send: Send,
  at: number,
  asNamed: boolean,
): TransactionItem => ({
  Update: {
    TableName: table.name,
    Key: keyOf(send),
    UpdateExpression: 'SET updatedAt = :at',
    ConditionExpression: [
      isSameSend,
      isSent,
      hasThisMessage,
      ...(asNamed ? [isNamedAsSeen(send)] : []),
    ].join(' AND '),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(send.id),
      ':sent': 'sent',
      ':providerMessageId': send.providerMessageId,
      ':at': at,
      ...(asNamed && namesOf(send)),
    },
  },
});

/** Requires that the send exists and names its recipient as it was seen. */
export const namedAsSeen = (send: Send): ItemCondition => ({
  Key: keyOf(send),
  ConditionExpression: `${isSameSend} AND ${isNamedAsSeen(send)}`,
  ExpressionAttributeValues: { ':nonce': ownPartIn(send.id), ...namesOf(send) },
});

/** Puts a message beyond the one in the send itself. Rare, so it is a separate item. */
export const putFurtherMessage = (
  table: Table,
  send: Send,
  { providerMessageId, at }: Acceptance,
): TransactionItem => ({
  Put: {
    TableName: table.name,
    Item: {
      ...messageKey(slotIdIn(send.id), providerMessageId),
      ...providerMessageIndexKey(providerMessageId),
      providerMessageId,
      sentAt: at,
      ...(send.test && { test: send.test }),
      expiresAt: send.expiresAt,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});
