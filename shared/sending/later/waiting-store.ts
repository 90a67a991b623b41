import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import { isOurs, putSend } from '#shared/sending/claim-store';
import { heardAsSeen } from '#shared/sending/heard';
import type { Send } from '#shared/sending/send';
import {
  hasNoMessage,
  hasSameStatus,
  isNamedAsSeen,
  isNotProven,
  isSameAttempt,
  isSameClaim,
  isSameSend,
  keyOf,
  namesOf,
  putFurtherRecipients,
  readSend,
  toSend,
} from '#shared/sending/send-items';
import { type Due, leaveDueIndex, openDueReader } from '#shared/table/due-index';
import { isExpired } from '#shared/table/expiry';
import { getItem } from '#shared/table/reads';
import { sendKey, slotIdAt, waitingIndex, waitingIndexKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import type { TransactionItem, writeIf } from '#shared/table/writes';
import {
  type OrganizationId,
  organizationIdSchema,
  ownPartIn,
  type SlotId,
  slotIdIn,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { writeWithDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { waitingAttributes } from './waiting.ts';

export type DueSend = Due<OrganizationId> & { readonly id: SlotId };

const keySchema = z.object({ pk: z.string() });

export const openDueSendStore = (table: Table) =>
  openDueReader<OrganizationId, DueSend>(table, waitingIndex, (item, owner, dueAt) => ({
    id: slotIdAt(keySchema.parse(item).pk),
    owner: organizationIdSchema.parse(owner),
    dueAt,
  }));
export type DueSendStore = ReturnType<typeof openDueSendStore>;

const removedWith = `REMOVE ${waitingAttributes}`;

/**
 * Every write requires the send as read, with its claim, and replaces the claim: one of two concurrent writes wins, and
 * a late one changes nothing.
 */
export function openWaitingStore(table: Table) {
  const change = openChange(table);

  async function get(slotId: SlotId, now: number): Promise<Send | undefined> {
    return readSend(await getItem(table, sendKey(slotId)), now);
  }

  /**
   * Begins an attempt, or ends a send that may not go out.
   *
   * @param rows the outbox rows, if the send ends.
   * @returns whether the attempt is ours.
   */
  async function begin(
    existing: Send,
    next: Send,
    rows: readonly Delivery[] = [],
  ): Promise<boolean> {
    return isWritten(await putSend(table, next, whollyAsSeen(existing), rows), (now) =>
      isOurs(now, next),
    );
  }

  /**
   * @param rows the outbox rows that report it.
   * @param entry the audit entry, if a caller did it.
   * @returns whether it is canceled, by this call or an earlier one.
   */
  const cancel = (
    existing: Send,
    claimId: string,
    now: number,
    rows: readonly Delivery[] = [],
    entry?: AuditEntry,
  ): Promise<boolean> =>
    change(
      existing,
      { ...cancelAt(now, claimId), rows, entry },
      ({ status }) => status === 'canceled',
    );

  /**
   * @param moved the send as it will be.
   * @param rows the outbox rows that report it.
   */
  const move = (
    existing: Send,
    moved: Send,
    rows: readonly Delivery[] = [],
    entry?: AuditEntry,
  ): Promise<boolean> =>
    change(
      existing,
      { ...moveTo(moved), rows, entry, further: putFurtherRecipients(moved) },
      (now) => now.claimId === moved.claimId,
    );

  /** Ends workers' part in a send with no known message id, or no email at all. */
  const release = (existing: Send, rows: readonly Delivery[] = []): Promise<boolean> =>
    change(
      existing,
      {
        UpdateExpression: removedWith,
        values: {},
        // A proof has just refuted the failure, so it isn't reported.
        condition: existing.provenAt === undefined ? isNotProven : hasNoMessage,
        rows,
      },
      ({ dueAt }) => dueAt === undefined,
    );

  return { get, begin, cancel, move, release, ...openExpired(table) };
}
export type WaitingStore = ReturnType<typeof openWaitingStore>;

function openExpired(table: Table) {
  /** A send that expired: `get` hides it until DynamoDB deletes it. */
  async function findExpired(slotId: SlotId, now: number): Promise<Send | undefined> {
    const item = await getItem(table, sendKey(slotId));
    return item && isExpired(item, now) ? toSend(item) : undefined;
  }

  const leaveIndex = ({ id }: Send, now: number): Promise<void> =>
    leaveDueIndex(table, waitingIndex, sendKey(slotIdIn(id)), now, waitingAttributes);

  return { findExpired, leaveIndex };
}

type Change = {
  readonly UpdateExpression: string;
  /** Must not reuse a name from `asSeen`. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly condition?: string;
  readonly rows?: readonly Delivery[];
  readonly entry?: AuditEntry | undefined;
  /** The entries of further recipients, if they change too. */
  readonly further?: readonly TransactionItem[];
};

const cancelAt = (now: number, claimId: string): Change => ({
  UpdateExpression: `SET #status = :canceled, claimId = :next, updatedAt = :now ${removedWith}`,
  values: { ':canceled': 'canceled', ':next': claimId, ':now': now },
});

function moveTo(moved: Send): Change {
  const {
    id,
    claimId,
    status,
    sendAt,
    dueAt = 0,
    dueSince,
    giveUpAt,
    expiresAt,
    updatedAt,
  } = moved;
  return {
    UpdateExpression:
      'SET #status = :moved, claimId = :next, sendAt = :sendAt, dueAt = :dueAt, dueSince = :dueSince, giveUpAt = :giveUpAt, expiresAt = :expiresAt, updatedAt = :now, gsi1sk = :gsi1sk',
    values: {
      ':moved': status,
      ':next': claimId,
      ':sendAt': sendAt,
      ':dueAt': dueAt,
      ':dueSince': dueSince,
      ':giveUpAt': giveUpAt,
      ':expiresAt': expiresAt,
      ':now': updatedAt,
      ':gsi1sk': waitingIndexKey(slotIdIn(id), dueAt).gsi1sk,
    },
  };
}

const openChange =
  (table: Table) =>
  async (
    existing: Send,
    { UpdateExpression, values, condition = isNotProven, rows = [], entry, further = [] }: Change,
    isDone: (now: Send) => boolean,
  ): Promise<boolean> => {
    const { ExpressionAttributeValues, ExpressionAttributeNames } = asSeen(existing);
    const update = {
      TableName: table.name,
      Key: keyOf(existing),
      UpdateExpression,
      ConditionExpression: [...clausesAsSeen(existing), condition].join(' AND '),
      ExpressionAttributeNames,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...values },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
    return isWritten(
      await writeWithDeliveries(table, { Update: update }, rows, [
        ...further,
        ...putIfEntered(entry),
      ]),
      (now) => now.id === existing.id && isDone(now),
    );
  };

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
const clausesAsSeen = (send: Send): readonly string[] => [
  isSameSend,
  isSameAttempt,
  isSameClaim,
  hasSameStatus,
  isNamedAsSeen(send),
];

const asSeen = (send: Send) => ({
  ConditionExpression: [
    ...clausesAsSeen(send),
    isNotProven,
    `attribute_not_exists(attempts[${send.attempts.length}])`,
  ].join(' AND '),
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: {
    ':nonce': ownPartIn(send.id),
    ':attempt': send.attempt,
    ':claimId': send.claimId,
    ':status': send.status,
    ...namesOf(send),
  },
});

/** For a Put, which replaces the whole item. */
function whollyAsSeen(send: Send) {
  const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = asSeen(send);
  const heard = heardAsSeen(send);
  return {
    ConditionExpression: [ConditionExpression, ...heard.clauses].join(' AND '),
    ExpressionAttributeNames,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ...heard.values },
  };
}
