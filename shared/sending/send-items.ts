import * as z from 'zod/mini';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { builtInDefaultPolicyKey } from '#shared/organizations/organization';
import {
  type Clause,
  hasAtMost,
  is,
  isAbsent,
  isAsRead,
  onlyIf,
  updateIf,
} from '#shared/table/conditional-update';
import { isExpired } from '#shared/table/expiry';
import type { Key } from '#shared/table/keys';
import { timeAt } from '#shared/table/list-position';
import { readItem } from '#shared/table/reads';
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
import type { searchedAttributes } from '#shared/table/table-attributes';
import type { StoredItem } from '#shared/table/table-client';
import type { ItemCondition, TransactionItem } from '#shared/table/writes';
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
import { reportedNames } from './erased-recipients.ts';
import { ownOutcomeEntryOf } from './outcome-entry.ts';
import {
  type Acceptance,
  addressesIn,
  isTestSend,
  type Send,
  type SendStatus,
  type StateOf,
  sendFactsSchema,
  sendStateSchema,
} from './send.ts';
import { storedSendOptions } from './send-options.ts';

// Clauses of conditions on a send, named so that a condition reads as a sentence.

/** No other send has taken the slot. */
export const sameSend = ({ id }: Pick<Send, 'id'>): Clause => is('nonce', ownPartIn(id));
export const sameAttempt = ({ attempt }: Pick<Send, 'attempt'>): Clause => is('attempt', attempt);
export const sameStatus = ({ status }: Pick<Send, 'status'>): Clause => is('status', status);
/** None was added. An attempt that sent nothing while an earlier one is in doubt adds only that. */
export const sameFailures = ({ attempts }: Pick<Send, 'attempts'>): Clause =>
  hasAtMost('attempts', attempts.length);
/** A manager hasn't freed its idempotency key. */
export const hasKey = isAbsent('freed');
/** See `provenAt` in `send.ts`. */
export const notProven = isAbsent('provenAt');
export const noMessage = isAbsent('providerMessageId');
/** What deliveries take from a send that may have been read a moment ago: whom it names, and its expiry. */
export const reportedAsRead = (send: Send): readonly Clause[] => [
  ...isAsRead(send, reportedNames),
  is('expiresAt', send.expiresAt),
];

/**
 * Attributes of an item only while workers send it: its index entry, and the key of its content. So what no send waits
 * for can't be opened, even if its deletion fails or a late request stores it again.
 */
export const waitingAttributes = ['dueAt', 'gsi1pk', 'gsi1sk', 'waitingKey'] as const;

/** The attributes that a send that becomes `To` may have to change. */
type Differing<To, From> = {
  [K in keyof To]-?: From[K & keyof From] extends To[K] ? never : K;
}[keyof To];
type Becoming<To, From> = { readonly [K in Differing<To, From>]: To[K] } & Partial<To>;

/**
 * How an Update changes a send's state: what is `undefined` is removed. Compiles only if it names all that an item of
 * status `From` must gain or lose to be one of status `To`, so that no impossible item is written.
 */
export function becomes<To extends SendStatus, From extends SendStatus = SendStatus>(
  state: Becoming<StateOf<To>, StateOf<From>> & { readonly status: To },
): { readonly set: StoredItem; readonly remove: readonly string[] } {
  const all = Object.entries(state);
  const removed = all.flatMap(([name, value]) => (value === undefined ? [name] : []));
  return {
    set: Object.fromEntries(all.filter(([, value]) => value !== undefined)),
    remove: [...new Set([...removed, ...(removed.includes('dueAt') ? waitingAttributes : [])])],
  };
}

/**
 * Values that follow from the keys, or are the same in most sends, aren't stored.
 *
 * @param sentAt when the send was last updated, if it has only been settled since its claim.
 */
const impliedIn = ({ createdAt, sentAt = createdAt }: Pick<Send, 'createdAt' | 'sentAt'>) => ({
  createdAt,
  claimedAt: createdAt,
  updatedAt: sentAt,
  endpoint: 'send' as const,
  policyKey: builtInDefaultPolicyKey,
});

const storedSchema = z.object({
  pk: z.string(),
  gsi2sk: z.string(),
  sentAt: z.optional(z.int()),
  nonce: z.string(),
  /** Leaves out the organization, which is in the partition key. */
  apiKey: z.optional(z.string()),
});

/**
 * Leaves out ids, which follow from the key and the nonce, empty lists and what is implied. A typical item stays below
 * 1,024 bytes, one write unit, with room for tags and metadata.
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
  const implied: Readonly<Record<string, unknown>> = impliedIn(send);
  const own = Object.entries(attributes).filter(([name, value]) => value !== implied[name]);
  return {
    ...keyOf(send),
    ...sendListIndexKey(slotId, send.createdAt, modeOf(send)),
    ...recipientIndexKeyOf(send),
    ...(send.dueAt !== undefined && waitingIndexKey(slotId, send.dueAt)),
    ...ownOutcomeEntryOf(send),
    nonce: ownPartIn(id),
    ...(apiKeyId !== undefined && { apiKey: apiKeyOwnPart(apiKeyId) }),
    ...Object.fromEntries(own),
    ...withoutEmpty({ moreTo, cc, bcc, suppressedRecipients, attempts }),
  };
}

export function toSend(item: StoredItem): Send {
  const { pk, gsi2sk, nonce, apiKey, sentAt } = readItem('send', storedSchema, item);
  const implied = impliedIn({ createdAt: timeAt(gsi2sk), sentAt });
  const id = sendIdOf(slotIdAt(pk), nonce);
  const apiKeyId = apiKey && apiKeyIdOf(organizationIdOf(id), apiKey);
  const derived = { id, feedbackId: feedbackIdOf(id), apiKeyId };
  const whole = { ...implied, ...item, ...derived };
  return {
    ...readItem('send', sendFactsSchema, whole),
    ...readItem('send', sendStateSchema, whole),
  };
}

const searchedSchema = z.object({
  toEmail: z.string(),
  moreTo: z._default(z.array(z.string()), []),
  cc: z._default(z.array(z.string()), []),
  bcc: z._default(z.array(z.string()), []),
  subject: z.string(),
  tags: storedSendOptions.tags,
  templateId: z.optional(z.string()),
  apiKey: z.optional(z.string()),
} satisfies Record<(typeof searchedAttributes)[number], z.ZodMiniType>);

/** What the list's index has of a send. */
export type SearchedSend = z.output<typeof searchedSchema>;

/** From an index entry: a search reads thousands. */
export const toSearchedSend = (entry: StoredItem): SearchedSend =>
  readItem('send', searchedSchema, entry);

export const searchedIn = ({ apiKeyId, ...send }: Send): SearchedSend => ({
  ...send,
  apiKey: apiKeyId && apiKeyOwnPart(apiKeyId),
});

/** `undefined` once expired. */
export const readSend = (item: StoredItem | undefined, now: number): Send | undefined =>
  item === undefined || isExpired(item, now) ? undefined : toSend(item);

export const keyOf = ({ id }: Pick<Send, 'id'>): Key => sendKey(slotIdIn(id));

/** Erased addresses leave the index of recipients. */
function recipientIndexKeyOf({ id, toEmail, createdAt, test }: Send) {
  const identity = recipientIdentityOf(toEmail);
  if (identity === undefined) return {};
  const contactId = contactIdOf(organizationIdOf(id), identity);
  return recipientIndexKey(contactId, slotIdIn(id), createdAt, modeOf({ test }));
}

/**
 * Entries by which every other recipient's emails are found; the first `to` is indexed by the send's own item. Written
 * with each claim. Most sends have none.
 *
 * @param before the attempt before this claim: its `to` keeps leading here.
 */
export function putFurtherRecipients(
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
      return { Put: { Item } };
    });
}

const modeOf = (send: Pick<Send, 'test'>) => ({ isTest: isTestSend(send) });

const withoutEmpty = (lists: Readonly<Record<string, readonly unknown[]>>): StoredItem =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

/**
 * Marks a send that is still `sent` with the same message. `at` in epoch milliseconds.
 *
 * @param requiresNames whether the recipient must be as read: see `commitAcceptance`.
 */
export const touchSent = (send: Send, at: number, requiresNames: boolean): TransactionItem => ({
  Update: updateIf(keyOf(send), { set: { updatedAt: at } }, [
    sameSend(send),
    is('status', 'sent'),
    is('providerMessageId', send.providerMessageId),
    ...(requiresNames ? isAsRead(send, reportedNames) : []),
  ]),
});

/** Requires that the send exists, and may be reported as read. */
export const requireReportedAsRead = (send: Send): ItemCondition => ({
  Key: keyOf(send),
  ...onlyIf(sameSend(send), ...reportedAsRead(send)),
});

/** A further message is rare, so it's an item beside the send. */
export const putFurtherMessage = (
  send: Send,
  { providerMessageId, at }: Acceptance,
): TransactionItem => ({
  Put: {
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
