import { toSeconds } from '#shared/table/expiry';
import { getItem } from '#shared/table/reads';
import { sendKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import type { writeIf } from '#shared/table/writes';
import {
  feedbackIdOf,
  freedSlotIdOf,
  ownPartIn,
  type SlotId,
  sendIdOf,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { writeWithDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { forgetting } from './erased-recipients.ts';
import { heardAsSeen } from './heard.ts';
import type { Send, SendResponse } from './send.ts';
import {
  hasItsKey,
  hasSameStatus,
  isNotProven,
  isSameAttempt,
  isSameSend,
  keyOf,
  putFurtherRecipients,
  readSend,
  toSend,
  toSendItem,
} from './send-items.ts';

/** An answer, or the next attempt of the send in the slot. */
export type ClaimVerdict =
  | { readonly kind: 'replay'; readonly response: SendResponse }
  /** `byAnotherKey`: the send was made with another API key. */
  | { readonly kind: 'key_reused'; readonly byAnotherKey?: true }
  | { readonly kind: 'in_progress'; readonly retryAt: number }
  | { readonly kind: 'next_attempt'; readonly send: Send };

export type ClaimJudge = (existing: Send, wanted: Send) => ClaimVerdict;

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly send: Send }
  | Exclude<ClaimVerdict, { kind: 'next_attempt' }>;

type ClaimOutbox = (claimed: Send) => readonly Delivery[];

type Freed = { readonly kind: 'freed'; readonly origin: Send; readonly times: number };

type Claiming = {
  readonly send: Send;
  readonly condition: SendCondition;
  /** Present if this is the send's next attempt. */
  readonly before?: Send;
};

const maxRounds = 4;

export function openClaimStore(table: Table) {
  const keyed = openKeyedSendStore(table);

  /**
   * Claims the right to send with one conditional Put of the send. If the slot is taken, the failed condition returns
   * its send, which is judged: replay, conflict or next attempt. A next attempt requires the send as read, so only one
   * of two retries wins.
   *
   * If the key was freed, the send in its own slot says how often, and the claim continues in the slot the key leads to
   * now.
   *
   * @param wanted attempt 1 of a new send, claimed at `claimedAt`.
   * @param rowsOf rows to write in one transaction with the claim, if any.
   */
  async function claim(
    wanted: Send,
    judge: ClaimJudge,
    rowsOf: ClaimOutbox = () => [],
  ): Promise<ClaimOutcome> {
    for (let round = 1; round <= maxRounds; round += 1) {
      const outcome = await claimSlot(wanted, judge, rowsOf);
      if (outcome.kind !== 'freed') return outcome;
      const { origin, times } = outcome;
      const inNext = inSlot(wanted, freedSlotIdOf(origin.id, times));
      const next = await claimSlot(inNext, judge, rowsOf);
      // Freed again in between; the key's own slot has the new count.
      if (next.kind === 'freed') continue;
      const isKept = next.kind !== 'claimed' || (await keyed.keepOrigin(origin, next.send));
      return isKept ? next : { kind: 'in_progress', retryAt: wanted.leaseExpiresAt };
    }
    return { kind: 'in_progress', retryAt: wanted.leaseExpiresAt };
  }

  async function claimSlot(
    wanted: Send,
    judge: ClaimJudge,
    rowsOf: ClaimOutbox,
  ): Promise<ClaimOutcome | Freed> {
    let next: Claiming = { send: wanted, condition: isFree(wanted) };
    for (let round = 1; round <= maxRounds; round += 1) {
      const { send, condition, before } = next;
      const outcome = await putSend(table, send, condition, rowsOf(send), before);
      if (outcome.written) return { kind: 'claimed', send };

      const existing = outcome.existing && toSend(outcome.existing);
      if (existing === undefined) {
        // The send in the slot was just deleted.
        next = { send: wanted, condition: isFree(wanted) };
        continue;
      }
      if (isOurs(existing, send)) return { kind: 'claimed', send };
      const { freed } = existing;
      if (freed !== undefined) return { kind: 'freed', origin: existing, times: freed };
      const verdict = judge(existing, wanted);
      if (verdict.kind !== 'next_attempt') return verdict;
      next = { send: verdict.send, condition: isAsSeen(existing), before: existing };
    }
    return { kind: 'in_progress', retryAt: wanted.leaseExpiresAt };
  }

  const get = async (slotId: SlotId, now: number): Promise<Send | undefined> =>
    (await keyed.find(slotId, now))?.send;

  return { claim, get };
}
export type ClaimStore = ReturnType<typeof openClaimStore>;

/** The send that an idempotency key leads to, and the one in the key's own slot: usually the same. */
export type KeyedSend = { readonly origin: Send; readonly send: Send };

export function openKeyedSendStore(table: Table) {
  /** Reads the send that a slot's key leads to, strongly consistent. */
  async function find(slotId: SlotId, now: number): Promise<KeyedSend | undefined> {
    const item = await getItem(table, sendKey(slotId));
    const origin = item && toSend(item);
    if (origin === undefined || origin.expiresAt <= toSeconds(now)) return undefined;
    if (origin.freed === undefined) return { origin, send: origin };
    const freedKey = sendKey(freedSlotIdOf(origin.id, origin.freed));
    const send = readSend(await getItem(table, freedKey), now);
    return send === undefined || send.freed !== undefined ? undefined : { origin, send };
  }

  /**
   * Keeps the send in the key's own slot for as long as the one the key leads to now. Without it, a request with the
   * key would count as the first. Reads hide it once its own time is over; if that is so already, this also takes away
   * what it says of people. Runs between the claim and the email: if the process dies before it, the attempt that takes
   * over runs it too.
   *
   * @returns whether the key still leads to `send`. If not, another request has used the freed key, and this one must
   *   not send.
   */
  async function keepOrigin(origin: Send, send: Send): Promise<boolean> {
    if (origin.expiresAt >= send.expiresAt) return true;
    const { expiresAt, claimedAt } = send;
    const isHidden = (origin.forgottenAt ?? origin.expiresAt) <= toSeconds(claimedAt);
    const update = keepUntil(origin, expiresAt, isHidden);
    // Its recipients lead to it as long as it names them.
    const beside = isHidden ? [] : putFurtherRecipients({ ...origin, expiresAt });
    const outcome = await writeWithDeliveries(table, { Update: update }, [], beside);
    if (outcome.written) return true;
    const existing = outcome.existing && toSend(outcome.existing);
    return (
      existing?.id === origin.id &&
      existing.freed === origin.freed &&
      existing.expiresAt >= send.expiresAt
    );
  }

  return { find, keepOrigin };
}

export type KeyedSendStore = ReturnType<typeof openKeyedSendStore>;

const isSameFreeing = 'freed = :times';

function keepUntil(origin: Send, until: number, isHidden: boolean) {
  const { set, remove } = isHidden ? forgetting() : { set: {}, remove: [] };
  const assigned = Object.keys(set).map((name) => `, ${name} = :${name}`);
  const removed = isHidden ? ` REMOVE ${remove.join(', ')}` : '';
  return {
    Key: keyOf(origin),
    UpdateExpression: `SET expiresAt = :until, forgottenAt = if_not_exists(forgottenAt, expiresAt)${assigned.join('')}${removed}`,
    ConditionExpression: [isSameSend, isSameFreeing, 'expiresAt < :until'].join(' AND '),
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(origin.id),
      ':times': origin.freed,
      ':until': until,
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function inSlot(wanted: Send, slotId: SlotId): Send {
  const id = sendIdOf(slotId, ownPartIn(wanted.id));
  return { ...wanted, id, feedbackId: feedbackIdOf(id) };
}

/**
 * Whether the SDK repeated our own Put because its answer was lost. If an earlier attempt was proven accepted in
 * between, the send is no longer ours.
 */
export const isOurs = (existing: Send, { claimId, status }: Send): boolean =>
  existing.claimId === claimId && existing.status === status && existing.provenAt === undefined;

type SendCondition = {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
};

/** @param before the send as it was before its next attempt. */
export async function putSend(
  table: Table,
  send: Send,
  condition: SendCondition,
  rows: readonly Delivery[],
  before?: Send,
): ReturnType<typeof writeIf> {
  const write = {
    Item: toSendItem(send),
    ...condition,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  return writeWithDeliveries(table, { Put: write }, rows, putFurtherRecipients(send, before));
}

const slotIsFree = 'attribute_not_exists(pk)';
const existingIsExpired = 'expiresAt <= :nowInSeconds';

const isFree = ({ claimedAt }: Send): SendCondition => ({
  ConditionExpression: `${slotIsFree} OR ${existingIsExpired}`,
  ExpressionAttributeValues: { ':nowInSeconds': toSeconds(claimedAt) },
});

/**
 * Requires the send as it was read: no new attempt, and no news of the last one. A takeover that fails while an earlier
 * attempt is in doubt only adds a failure, so the number of failures counts too.
 */
const isAsSeen = (send: Send): SendCondition => ({
  ConditionExpression: [
    isSameSend,
    isSameAttempt,
    hasSameStatus,
    isNotProven,
    hasItsKey,
    `attribute_not_exists(attempts[${send.attempts.length}])`,
    ...heardAsSeen(send).clauses,
  ].join(' AND '),
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: {
    ':nonce': ownPartIn(send.id),
    ':attempt': send.attempt,
    ':status': send.status,
    ...heardAsSeen(send).values,
  },
});
