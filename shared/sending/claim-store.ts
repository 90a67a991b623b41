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
 * Claims the right to send: one conditional Put of the send. The send that stands in the slot, if any,
 * comes back with the failed condition and tells replay, conflict and next attempt apart. A next attempt
 * is a conditional Put too, on the send as it was seen: of two retries one wins.
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
      // It was deleted since it was seen.
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
 * The answer to our own Put was lost, and the SDK tried again. If an earlier attempt was proven accepted
 * in between, it is ours no more.
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
  // The commit of the send that stands there may be a transaction under way.
  return writeIf(() => retryConflicts(() => table.client.send(put)));
}

const hasSameStatus = '#status = :status';

/**
 * No attempt was begun since, and nothing was learned of the last one: a takeover that failed while the
 * first attempt is in doubt adds its failure, and changes nothing else.
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
