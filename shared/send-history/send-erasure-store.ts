import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  erasedAddress,
  withoutAddress,
  withoutAddressInText,
} from '#shared/contacts/erased-address';
import { eraseFromRows, type RowErasure } from '#shared/contacts/row-erasure-store';
import { getOrganization } from '#shared/organizations/organization-store';
import {
  erasedFrom,
  forgetting,
  personalNames,
  withoutPersons,
} from '#shared/sending/erased-recipients';
import { cancelWaiting } from '#shared/sending/later/waiting-store';
import { recipientsOf, withoutRecipients } from '#shared/sending/later/without-recipients';
import {
  addressesIn,
  factsOf,
  isTestSend,
  isWaiting,
  type Send,
  stateAt,
  type WaitingSend,
} from '#shared/sending/send';
import { keyOf, sameAttempt, sameSend, toSend } from '#shared/sending/send-items';
import { emailCanceledDeliveries } from '#shared/sending/send-outbox';
import {
  type AttributeChange,
  changedAttributes,
  changesNothing,
} from '#shared/table/attribute-change';
import { type Clause, isAsRead, onlyIf, updateIf } from '#shared/table/conditional-update';
import { toSeconds } from '#shared/table/expiry';
import type { Key } from '#shared/table/keys';
import { getItem, queryAll } from '#shared/table/reads';
import {
  furtherRecipientKey,
  recipientIndexPartition,
  sendKey,
  sendPartition,
  sendSortKey,
} from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { transactWrite, writeIf } from '#shared/table/writes';
import {
  type ContactId,
  contactIdOf,
  newNonce,
  organizationIdOf,
  type SlotId,
  slotIdIn,
} from '#shared/tokens/resource-id';

/** The address to erase (`EmailAddress.identity`), and whether the sends to it expire at once. */
export type SendErasure = { readonly identity: string; readonly expires: boolean };

/**
 * - `anonymised`: neither the send nor its rows hold the address, and the index no longer names the send.
 * - `under_way`: until then, an attempt may know the address and still write it into the outbox. The send is
 *   anonymised, but stays in the index, where a repetition finds it.
 */
export type SendErasureOutcome =
  | { readonly kind: 'anonymised' }
  | { readonly kind: 'under_way'; readonly until: number };

export type ContentErasure = {
  /** Doesn't remove what workers will send. */
  readonly remove: (send: Send) => Promise<void>;
  /** Changes the request that workers will send. @returns whether anything changed. */
  readonly changeWaiting: (send: Send, change: (body: unknown) => unknown) => Promise<boolean>;
  readonly removeWaiting: (send: Send) => Promise<void>;
};

/**
 * Removes a person's address from a send that names it, and from all that the send owns. Its other recipients stay,
 * and a waiting send goes out to them, unless the person is its first `to`.
 *
 * Order of effects:
 *
 * 0. A waiting send to the person is called off.
 * 1. The send loses the address, and the key of its kept content. So rows of later events don't hold the address, and
 * a content that is stored later stays sealed.
 * 2. Its contents are deleted: what is kept, and what workers would have sent. What they still send to others leaves
 * the person out; a worker that read it earlier compares it with the send.
 * 3. The rows lose the address. If the send expires, its rows expire too, and no more attempts are due.
 * 4. The send leaves the index, and a send to the person expires. A further recipient's entry is deleted.
 *
 * Each effect may be repeated, even concurrently. A process that dies before the last leaves the send in the index,
 * where a repetition finds it. If a retry makes the next attempt at this moment, it brings the address in its own
 * request, so the send stays in the index.
 *
 * A process that read the send before the first effect may store rows after the third, however late. So a commit and
 * a hit require the address as they saw it, a redelivery requires the body that it copies, and an SES event's report
 * looks at the send again (`eraseFromReport`).
 */
export async function anonymiseSend(
  table: Table,
  contents: ContentErasure,
  slotId: SlotId,
  { identity, expires }: SendErasure,
  now: number,
): Promise<SendErasureOutcome> {
  const contactId = contactIdOf(organizationIdOf(slotId), identity);
  const entry = furtherRecipientKey(slotId, contactId);
  const eraseRows = (expiresAt?: number) =>
    eraseRowsBeside(table, slotId, entry, { identities: [identity], expiresAt });
  const item = await getItem(table, sendKey(slotId));
  if (item === undefined) {
    // DynamoDB may delete the rows some time after their send.
    await eraseRows();
    return anonymised;
  }

  const seen = toSend(item);
  const isPerson = (address: string) => withoutAddress(address, identity) === erasedAddress;
  const isToPerson = isErased(seen) ? leadsFrom(contactId, item, seen) : isPerson(seen.toEmail);
  const send =
    isWaiting(seen) && isToPerson ? await callOff(table, seen, { identity, expires }, now) : seen;
  if (send === undefined) return underWay(seen);
  // The idempotency key of a send under way must keep working, so the send may not expire.
  const isUnderWay = stateAt(send, now).status === 'sending';
  const mayExpire = expires && isToPerson && !isUnderWay;
  const expiresAt = mayExpire ? Math.min(toSeconds(now), send.expiresAt) : undefined;

  const hidden = await hideAddress(table, send, item, identity);
  if (hidden.kind === 'under_way') return hidden;
  if (addressesIn(send).some(isPerson)) await contents.remove(send);
  if (send.dueAt !== undefined) await leaveOut(table, contents, send, identity);
  const isListed = await eraseRows(expiresAt);
  if (!isToPerson && !isListed) return anonymised;
  if (isUnderWay) return underWay(send);
  const left = isListed ? await removeEntry(table, send, entry) : anonymised;
  if (!isToPerson || left.kind === 'under_way') return left;
  return depart(table, send, expiresAt);
}

/**
 * Cancels the send even if it has other recipients: without its first `to` it isn't the email that was asked for.
 * Webhooks get a report without the address, unless the send has expired. The scheduled run finds the deliveries.
 *
 * @returns `undefined` if a worker was faster.
 */
async function callOff(
  table: Table,
  send: WaitingSend,
  { identity, expires }: SendErasure,
  now: number,
): Promise<Send | undefined> {
  const organization = expires
    ? undefined
    : await getOrganization(table, organizationIdOf(send.id));
  const deliveries = emailCanceledDeliveries(send, organization?.webhooks ?? {}, now).map(
    (delivery) => withoutPersons(delivery, [identity]),
  );
  const isCanceled = await cancelWaiting(table, send, { claimId: newNonce(), now, deliveries });
  return isCanceled ? { ...factsOf(send), status: 'canceled' } : undefined;
}

/**
 * Removes all recipients from the request that the send no longer names. Two erasures at once may each have changed
 * what they read before the other's change, so the last one looks again. A worker may have deleted the request before
 * the change stored it again: then the send is no longer due.
 */
async function leaveOut(
  table: Table,
  contents: ContentErasure,
  send: Send,
  identity: string,
): Promise<void> {
  for (let isChanged = true; isChanged; ) {
    const item = await getItem(table, sendKey(slotIdIn(send.id)));
    const existing = item && toSend(item);
    const isDue = existing?.contentId === send.contentId && existing?.dueAt !== undefined;
    if (!isDue) return contents.removeWaiting(send);
    isChanged = await contents.changeWaiting(existing, (body) =>
      withoutRecipients(body, [identity, ...erasedFrom(existing, recipientsOf(body))]),
    );
  }
}

/**
 * Does nothing if another attempt or another send has the slot by now. Two people may be erased at the same moment, so
 * the write requires what it replaces as read.
 */
async function hideAddress(
  table: Table,
  send: Send,
  item: StoredItem,
  identity: string,
): Promise<SendErasureOutcome> {
  let seen = item;
  for (;;) {
    const change = addressChange(seen, identity);
    if (changesNothing(change)) return anonymised;
    const outcome = await changeSend(table, send, change, isAsRead(seen, Object.keys(change.set)));
    if (outcome.written || outcome.existing === undefined) return anonymised;
    const existing = toSend(outcome.existing);
    if (existing.id !== send.id || existing.attempt !== send.attempt) return underWay(existing);
    seen = outcome.existing;
  }
}

/** Does nothing if another attempt or another send has the slot by now. */
async function depart(
  table: Table,
  send: Send,
  expiresAt: number | undefined,
): Promise<SendErasureOutcome> {
  const outcome = await changeSend(table, send, departure(send, expiresAt));
  const existing = outcome.written ? undefined : outcome.existing;
  return existing === undefined ? anonymised : underWay(toSend(existing));
}

function changeSend(
  table: Table,
  send: Send,
  change: AttributeChange,
  asRead: readonly Clause[] = [],
) {
  const clauses = [sameSend(send), sameAttempt(send), ...asRead];
  const command = new UpdateCommand({
    TableName: table.name,
    ...updateIf(keyOf(send), change, clauses),
  });
  return writeIf(() => table.client.send(command));
}

/** Does nothing if another attempt or another send has the slot by now. */
async function removeEntry(table: Table, send: Send, entry: Key): Promise<SendErasureOutcome> {
  const isSameAttempt = { Key: keyOf(send), ...onlyIf(sameSend(send), sameAttempt(send)) };
  const outcome = await transactWrite(table, [
    { ConditionCheck: isSameAttempt },
    { Delete: { Key: entry } },
  ]);
  const existing = outcome.committed ? undefined : outcome.conditions[0]?.item;
  return existing === undefined ? anonymised : underWay(toSend(existing));
}

const anonymised = { kind: 'anonymised' } as const;

const underWay = ({ leaseExpiresAt }: Send) =>
  ({ kind: 'under_way', until: leaseExpiresAt }) as const;

const isErased = ({ toEmail }: Send): boolean => toEmail === erasedAddress;

/** An erasure takes the send's own item out of the index last, so until then it says whose first `to` was erased. */
const leadsFrom = (contactId: ContactId, item: StoredItem, send: Send): boolean =>
  item['gsi3pk'] === recipientIndexPartition(contactId, { isTest: isTestSend(send) });

const personalAttributes = personalNames();

function addressChange(item: StoredItem, identity: string): AttributeChange {
  const { idempotencyKey } = sendKeySchema.parse(item);
  const redacted = Object.fromEntries(
    personalAttributes.map((name) => [name, withoutAddress(item[name], identity)]),
  );
  // The slot can be found without the stored key.
  const key = idempotencyKey && withoutAddressInText(idempotencyKey, identity);
  const set = changedAttributes(item, { ...redacted, idempotencyKey: key });
  const namesPerson = personalAttributes.some((name) => Object.hasOwn(set, name));
  const isSealed = namesPerson && item['contentKey'] !== undefined;
  return { set, remove: isSealed ? ['contentKey'] : [] };
}

const sendKeySchema = z.object({ idempotencyKey: z.optional(z.string()) });

/** A send whose key was freed says where the key leads now, so it expires for reads but stays in the table. */
function departure({ freed }: Send, expiresAt: number | undefined): AttributeChange {
  const remove = ['gsi3pk', 'gsi3sk'];
  if (expiresAt === undefined) return { set: {}, remove };
  if (freed === undefined) return { set: { expiresAt }, remove };
  const forgotten = forgetting();
  return { ...forgotten, set: { ...forgotten.set, forgottenAt: expiresAt } };
}

/** @returns whether the further recipient's entry exists. */
async function eraseRowsBeside(
  table: Table,
  slotId: SlotId,
  entry: Key,
  erasure: RowErasure,
): Promise<boolean> {
  let rows: readonly StoredItem[];
  do {
    rows = await rowsBeside(table, slotId);
  } while (await eraseFromRows(table, rows, erasure));
  return rows.some(({ sk }) => sk === entry.sk);
}

export const rowsBeside = async (table: Table, slotId: SlotId): Promise<StoredItem[]> =>
  (await queryAll(table, { pk: sendPartition(slotId) })).filter(({ sk }) => sk !== sendSortKey);
