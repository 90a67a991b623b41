import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeIf } from '#shared/table/condition-failure';
import { toSeconds } from '#shared/table/expiry';
import { retryConflicts } from '#shared/table/retry-conflicts';
import { sendKey } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import {
  feedbackIdOf,
  freedSlotIdOf,
  ownPartIn,
  type SlotId,
  sendIdOf,
} from '#shared/tokens/resource-id';
import { type IdempotencyVerdict, judgeStanding, nextAttempt } from './idempotency.ts';
import type { Send } from './send.ts';
import { hasItsKey, isNotProven, isSameAttempt, isSameSend } from './send-conditions.ts';
import { keyOf, readSend, toSend, toSendItem } from './send-items.ts';

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
 * A send whose key was freed says so in the slot of the key, and how often. Then the claim goes on in the slot to which
 * the key leads since: a second Put, for such keys only.
 *
 * @param wanted attempt 1 of a new send, claimed at `claimedAt`.
 */
export async function claimSend(table: Table, wanted: Send): Promise<ClaimOutcome> {
  for (let round = 1; round <= maxRounds; round += 1) {
    const outcome = await claimSlot(table, wanted);
    if (outcome.kind !== 'freed') return outcome;
    const { origin, times } = outcome;
    const next = await claimSlot(table, inSlot(wanted, freedSlotIdOf(origin.id, times)));
    // Freed once more in between: the key's own slot tells how often.
    if (next.kind === 'freed') continue;
    const isKept = next.kind !== 'claimed' || (await keepOrigin(table, origin, next.send));
    return isKept ? next : { kind: 'in_progress', retryAt: wanted.leaseExpiresAt };
  }
  return { kind: 'in_progress', retryAt: wanted.leaseExpiresAt };
}

/** The send in the slot has given up its key. */
type Freed = { readonly kind: 'freed'; readonly origin: Send; readonly times: number };

async function claimSlot(table: Table, wanted: Send): Promise<ClaimOutcome | Freed> {
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
    const { freed } = standing;
    if (freed !== undefined) return { kind: 'freed', origin: standing, times: freed };
    const verdict = judgeStanding(standing, wanted, now);
    if (verdict.kind !== 'next_attempt') return verdict;
    next = { send: nextAttempt(standing, wanted), condition: isAsSeen(standing) };
  }
  return { kind: 'in_progress', retryAt: wanted.leaseExpiresAt };
}

/** The same send in another slot of its organization. */
function inSlot(wanted: Send, slotId: SlotId): Send {
  const id = sendIdOf(slotId, ownPartIn(wanted.id));
  return { ...wanted, id, feedbackId: feedbackIdOf(id) };
}

const isSameFreeing = 'freed = :times';

/**
 * Sees to it that the send in the key's own slot stays in the table as long as the one to which the key leads now:
 * without it a request with the key would be as good as the first. Reads hide it from the time at which it was to go.
 * It comes after the claim and before the email. A process that dies in between leaves a claim without an email, and
 * the attempt that takes it over comes by here.
 *
 * @returns whether the key still leads to `send`. Else another request has begun the key anew, and this one must not send.
 */
async function keepOrigin(table: Table, origin: Send, send: Send): Promise<boolean> {
  if (origin.expiresAt >= send.expiresAt) return true;
  const outcome = await writeIf(() =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keyOf(origin),
        UpdateExpression:
          'SET expiresAt = :until, forgottenAt = if_not_exists(forgottenAt, expiresAt)',
        ConditionExpression: [isSameSend, isSameFreeing, 'expiresAt < :until'].join(' AND '),
        ExpressionAttributeValues: {
          ':nonce': ownPartIn(origin.id),
          ':times': origin.freed,
          ':until': send.expiresAt,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );
  if (outcome.written) return true;
  const standing = outcome.standing && toSend(outcome.standing);
  return (
    standing?.id === origin.id &&
    standing.freed === origin.freed &&
    standing.expiresAt >= send.expiresAt
  );
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
    hasItsKey,
    `attribute_not_exists(attempts[${attempts.length}])`,
  ].join(' AND '),
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':nonce': ownPartIn(id), ':attempt': attempt, ':status': status },
});

/** The send that an idempotency key leads to, and the one in the key's own slot: mostly the same. */
export type KeyedSend = { readonly origin: Send; readonly send: Send };

/** Reads the send to which the key of a slot leads, strongly consistent. `now` in epoch milliseconds. */
export async function findKeyed(
  table: Table,
  slotId: SlotId,
  now: number,
): Promise<KeyedSend | undefined> {
  const item = await getItem(table, slotId);
  const origin = item && toSend(item);
  if (origin === undefined || origin.expiresAt <= toSeconds(now)) return undefined;
  if (origin.freed === undefined) return { origin, send: origin };
  const send = readSend(await getItem(table, freedSlotIdOf(origin.id, origin.freed)), now);
  return send === undefined || send.freed !== undefined ? undefined : { origin, send };
}

/** Reads the send to which the key of a slot leads. */
export const getSlot = async (
  table: Table,
  slotId: SlotId,
  now: number,
): Promise<Send | undefined> => (await findKeyed(table, slotId, now))?.send;

async function getItem(table: Table, slotId: SlotId): Promise<StoredItem | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: sendKey(slotId), ConsistentRead: true }),
  );
  return Item;
}

export const openClaimStore = (table: Table) => ({
  claim: (wanted: Send) => claimSend(table, wanted),
  /** The send in a slot. */
  get: (slotId: SlotId, now: number) => getSlot(table, slotId, now),
});
export type ClaimStore = ReturnType<typeof openClaimStore>;
