import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import { reportedNames } from '#shared/sending/erased-recipients';
import { eventAttributeNames } from '#shared/sending/event-attributes';
import { endOfAttempt, ownOutcomeEntry } from '#shared/sending/outcome-entry';
import type {
  ClaimedSend,
  FailedSend,
  Send,
  SendUnderWay,
  WaitingSend,
} from '#shared/sending/send';
import {
  becomes,
  keyOf,
  noMessage,
  notProven,
  putFurtherRecipients,
  readSend,
  sameAttempt,
  sameFailures,
  sameSend,
  sameStatus,
  toSend,
  waitingAttributes,
} from '#shared/sending/send-items';
import { isOurs, putSend } from '#shared/sending/send-store';
import { type Change, type Clause, is, isAsRead, updateIf } from '#shared/table/conditional-update';
import { type Due, type DueList, leaveDueIndex } from '#shared/table/due-index';
import { isExpired } from '#shared/table/expiry';
import { getItem } from '#shared/table/reads';
import { sendKey, slotIdAt, waitingIndex, waitingIndexKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import type { TransactionItem, writeIf } from '#shared/table/writes';
import {
  type OrganizationId,
  organizationIdSchema,
  type SlotId,
  slotIdIn,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { writeWithDeliveries } from '#shared/webhook-deliveries/delivery-store';

// Every write requires the send as read, with its claim, and replaces the claim: one of two concurrent writes wins, and
// a late one changes nothing.

export type DueSend = Due<OrganizationId> & { readonly id: SlotId };

const keySchema = z.object({ pk: z.string() });

export const dueSends: DueList<OrganizationId, DueSend> = {
  ...waitingIndex,
  toEntry: (item, owner, dueAt) => ({
    id: slotIdAt(keySchema.parse(item).pk),
    owner: organizationIdSchema.parse(owner),
    dueAt,
  }),
};

export async function getSendInSlot(
  table: Table,
  slotId: SlotId,
  now: number,
): Promise<Send | undefined> {
  return readSend(await getItem(table, sendKey(slotId)), now);
}

/** A send that expired: `getSendInSlot` hides it until DynamoDB deletes it. */
export async function getExpiredSend(
  table: Table,
  slotId: SlotId,
  now: number,
): Promise<Send | undefined> {
  const item = await getItem(table, sendKey(slotId));
  return item && isExpired(item, now) ? toSend(item) : undefined;
}

export const leaveWaitingIndex = (table: Table, { id }: Send, now: number): Promise<void> =>
  leaveDueIndex(table, waitingIndex, sendKey(slotIdIn(id)), now, waitingAttributes.join(', '));

/**
 * Begins an attempt, or ends a send that may not go out.
 *
 * @param deliveries of the send's end, if it ends.
 * @returns whether the attempt is ours.
 */
export async function beginAttempt(
  table: Table,
  existing: Send,
  next: ClaimedSend | FailedSend,
  deliveries: readonly Delivery[] = [],
): Promise<boolean> {
  // A Put replaces the whole item.
  const wholly = [
    ...asSeen(existing),
    notProven,
    sameFailures(existing),
    ...isAsRead(existing, eventAttributeNames),
  ];
  return isWritten(await putSend(table, next, wholly, deliveries), (now) => isOurs(now, next));
}

/** What is written with a change: the deliveries that report it, and the audit entry, if a caller made it. */
type Beside = { readonly deliveries?: readonly Delivery[]; readonly entry?: AuditEntry };

/** @returns whether it is canceled, by this call or an earlier one. */
export function cancelWaiting(
  table: Table,
  existing: WaitingSend,
  { claimId, now, ...beside }: Beside & { readonly claimId: string; readonly now: number },
): Promise<boolean> {
  const { set, remove } = becomes<'canceled', 'scheduled' | 'queued'>({
    status: 'canceled',
    dueAt: undefined,
    waitingKey: undefined,
  });
  return changeWaiting(
    table,
    existing,
    {
      set: { ...set, claimId, updatedAt: now, ...ownOutcomeEntry(existing, 'canceled', now) },
      remove,
    },
    notProven,
    beside,
    ({ status }) => status === 'canceled',
  );
}

export type MovedSend = WaitingSend & { readonly dueAt: number };

/** @param moved the send as it will be. */
export function moveWaiting(
  table: Table,
  existing: WaitingSend,
  moved: MovedSend,
  beside: Beside = {},
): Promise<boolean> {
  const { claimId, status, sendAt, dueAt, dueSince, giveUpAt, expiresAt, updatedAt } = moved;
  const planned = becomes<'scheduled' | 'queued', 'scheduled' | 'queued'>({ status, dueAt });
  const { gsi1sk } = waitingIndexKey(slotIdIn(moved.id), dueAt);
  const set = { ...planned.set, claimId, sendAt, dueSince, giveUpAt, expiresAt, updatedAt, gsi1sk };
  return changeWaiting(
    table,
    existing,
    { set, remove: planned.remove },
    notProven,
    { ...beside, further: putFurtherRecipients(moved) },
    (now) => now.claimId === claimId,
  );
}

/**
 * Ends workers' part in a send with no known message id, or no email at all. A proof has just refuted the failure if
 * there is one, so that isn't reported.
 */
export function releaseWaiting(
  table: Table,
  existing: WaitingSend | SendUnderWay,
  deliveries: readonly Delivery[] = [],
): Promise<boolean> {
  // It has failed from now on (`stateAt`).
  const isInDoubt = existing.status === 'sending' && existing.provenAt === undefined;
  return changeWaiting(
    table,
    existing,
    {
      remove: waitingAttributes,
      ...(isInDoubt && { set: ownOutcomeEntry(existing, 'failed', endOfAttempt(existing)) }),
    },
    existing.provenAt === undefined ? notProven : noMessage,
    { deliveries },
    ({ dueAt }) => dueAt === undefined,
  );
}

async function changeWaiting(
  table: Table,
  existing: WaitingSend | SendUnderWay,
  change: Change,
  condition: Clause,
  {
    deliveries = [],
    entry,
    further = [],
  }: Beside & { readonly further?: readonly TransactionItem[] },
  isDone: (now: Send) => boolean,
): Promise<boolean> {
  const Update = updateIf(keyOf(existing), change, [...asSeen(existing), condition]);
  const alsoWritten = [...further, ...putIfEntered(entry)];
  return isWritten(
    await writeWithDeliveries(table, { Update }, deliveries, alsoWritten),
    (now) => now.id === existing.id && isDone(now),
  );
}

/** @param isDone whether the stored send shows that the SDK repeated our own write. */
function isWritten(
  outcome: Awaited<ReturnType<typeof writeIf>>,
  isDone: (existing: Send) => boolean,
): boolean {
  if (outcome.written) return true;
  const existing = outcome.existing && toSend(outcome.existing);
  return existing !== undefined && isDone(existing);
}

/** Nobody was erased from it since, because erased people get no email. */
const asSeen = (send: Send): readonly Clause[] => [
  sameSend(send),
  sameAttempt(send),
  is('claimId', send.claimId),
  sameStatus(send),
  ...isAsRead(send, reportedNames),
];
