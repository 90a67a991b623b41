import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { writeIf } from '#shared/table/condition-failure';
import { isExpired, toSeconds } from '#shared/table/expiry';
import { retryConflicts } from '#shared/table/retry-conflicts';
import { sendKey } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { ownPartIn, type SlotId } from '#shared/tokens/resource-id';
import { type IdempotencyVerdict, judgeStanding, nextAttempt } from './idempotency.ts';
import type { Send } from './send.ts';
import { isNotProven, isSameAttempt, isSameSend } from './send-conditions.ts';
import { toSend, toSendItem } from './send-items.ts';

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly send: Send }
  | Exclude<IdempotencyVerdict, { kind: 'next_attempt' }>;

const maxRounds = 4;

const slotIsFree = 'attribute_not_exists(pk)';
const standingIsExpired = 'expiresAt <= :nowInSeconds';

/**
 * Claims the right to send with one conditional Put of the send. If another send stands in the slot, it
 * comes back with the failed condition. It decides between replay, conflict and next attempt. A next attempt
 * is a conditional Put too. It asks for the send as it was seen, so only one of two retries wins.
 *
 * @param wanted attempt 1 of a new send, claimed at `claimedAt`.
 */
export async function claimSend(table: Table, wanted: Send): Promise<ClaimOutcome> {
  const now = wanted.claimedAt;
  const isFree: Condition = {
    ConditionExpression: `${slotIsFree} OR ${standingIsExpired}`,
    ExpressionAttributeValues: { ':nowInSeconds': toSeconds(now) },
  };
  let next = { send: wanted, condition: isFree };
  for (let round = 1; round <= maxRounds; round += 1) {
    const { send, condition } = next;
    const outcome = await putSend(table, send, condition);
    if (outcome.written) return { kind: 'claimed', send };

    const standing = outcome.standing && toSend(outcome.standing);
    if (standing === undefined) {
      // The send that stood there was deleted a moment ago.
      next = { send: wanted, condition: isFree };
      continue;
    }
    if (isOurs(standing, send)) return { kind: 'claimed', send };
    const verdict = judgeStanding(standing, wanted.fingerprint, now);
    if (verdict.kind !== 'next_attempt') return verdict;
    next = { send: nextAttempt(standing, wanted), condition: isAsSeen(standing) };
  }
  return { kind: 'in_progress', retryAt: wanted.leaseExpiresAt };
}

/**
 * Tells whether the SDK repeated our own Put because its answer was lost. If an earlier attempt was proven
 * accepted in between, the send is not ours any more.
 */
const isOurs = (standing: Send, { claimId, status }: Send): boolean =>
  standing.claimId === claimId && standing.status === status && standing.provenAt === undefined;

type Condition = {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
};

function putSend(table: Table, send: Send, condition: Condition) {
  const put = new PutCommand({
    TableName: table.name,
    Item: toSendItem(send),
    ...condition,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  // The send that stands there may be part of a transaction at this moment: its commit.
  return writeIf(() => retryConflicts(() => table.client.send(put)));
}

const hasSameStatus = '#status = :status';

/**
 * Asks for the send as it was seen. No attempt has begun since then, and nothing was learned about the last
 * one. A takeover may fail while an earlier attempt is in doubt. It then adds its failure and nothing else,
 * so the condition also asks for the number of failures.
 */
const isAsSeen = ({ id, attempt, attempts, status }: Send): Condition => ({
  ConditionExpression: [
    isSameSend,
    isSameAttempt,
    hasSameStatus,
    isNotProven,
    `attribute_not_exists(attempts[${attempts.length}])`,
  ].join(' AND '),
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':nonce': ownPartIn(id), ':attempt': attempt, ':status': status },
});

/** Reads the send in a slot, strongly consistent. `now` in epoch milliseconds. */
export async function getSlot(
  table: Table,
  slotId: SlotId,
  now: number,
): Promise<Send | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: sendKey(slotId), ConsistentRead: true }),
  );
  return readSend(Item, now);
}

/** The send of an item that was read, unless it is expired. */
export const readSend = (item: StoredItem | undefined, now: number): Send | undefined =>
  item === undefined || isExpired(item, now) ? undefined : toSend(item);

export const openClaimStore = (table: Table) => ({
  claim: (wanted: Send) => claimSend(table, wanted),
  /** The send in a slot. */
  get: (slotId: SlotId, now: number) => getSlot(table, slotId, now),
});
export type ClaimStore = ReturnType<typeof openClaimStore>;
