import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeIf } from '#shared/table/condition-failure';
import { providerMessageIndexKey } from '#shared/table/keys';
import { retryConflicts } from '#shared/table/retry-conflicts';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import { ownPartIn } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import {
  type Acceptance,
  type FailedAttempt,
  isInDoubt,
  judgeAcceptance,
  type Send,
} from './send.ts';
import { keyOf, putFurtherMessage, toSend } from './send-items.ts';

// Names, so that a condition reads as a sentence.
const isSameSend = 'nonce = :nonce';
const isSameAttempt = 'attempt = :attempt';
const isSending = '#status = :sending';
const isSent = '#status = :sent';
const isNotProven = 'attribute_not_exists(provenAt)';
const hasNoMessage = 'attribute_not_exists(providerMessageId)';
const hasRejectedMessage = 'providerMessageId = :rejected';
const hasThisMessage = 'providerMessageId = :providerMessageId';

/**
 * What became of the report that SES took a message, and the send as it stands then.
 *
 * - `settled`: the send is `sent` by it.
 * - `further`: the send had another message already.
 * - `known`: it was recorded before.
 * - `gone`: the send expired, or another one has its slot.
 */
export type AcceptanceOutcome = {
  readonly kind: 'settled' | 'further' | 'known' | 'gone';
  readonly send: Send;
};

/**
 * Commits an accepted email: one conditional Update of the send, or a transaction with the webhook outbox
 * rows of `email.sent`. The message and its `sent` event are read from the send. The request calls it,
 * and so does every event of the provider: whichever comes first settles the send. Another message than
 * the one that settled it is an item of its own.
 *
 * An acceptance is true whichever attempt it was. What it is to the send is judged by the send as it was
 * seen, so the write asks for that: an event may have settled the send meanwhile, and another rejected it.
 *
 * @param send as it was read, or claimed.
 * @param deliveries the outbox rows of the acceptance.
 */
export async function commitAcceptance(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
): Promise<AcceptanceOutcome> {
  const { providerMessageId, at } = acceptance;
  let standing = send;
  for (;;) {
    const verdict = judgeAcceptance(standing, providerMessageId);
    if (verdict === 'known') return { kind: 'known', send: standing };
    if (verdict === 'further') {
      const isNew = await putFurther(table, standing, acceptance, deliveries);
      return { kind: isNew ? 'further' : 'known', send: standing };
    }
    const outcome = await settle(table, standing, acceptance, deliveries);
    if (outcome === 'settled') {
      const settled = { ...standing, status: 'sent', providerMessageId, sentAt: at } as const;
      return { kind: 'settled', send: settled };
    }
    if (outcome?.id !== send.id) return { kind: 'gone', send };
    standing = outcome;
  }
}

/** @returns the send as it stands, when it is not as it was seen. */
async function settle(
  table: Table,
  send: Send,
  { providerMessageId, at }: Acceptance,
  deliveries: readonly Delivery[],
): Promise<'settled' | Send | undefined> {
  const { gsi1pk, gsi1sk } = providerMessageIndexKey(providerMessageId);
  // A message that it has, and that leaves room for another, was rejected.
  const { providerMessageId: rejected } = send;
  const hasSameMessage = rejected === undefined ? hasNoMessage : hasRejectedMessage;
  const update = {
    TableName: table.name,
    Key: keyOf(send),
    UpdateExpression:
      'SET #status = :sent, providerMessageId = :providerMessageId, sentAt = :at, updatedAt = :at, gsi1pk = :gsi1pk, gsi1sk = :gsi1sk REMOVE provenAt',
    ConditionExpression: [isSameSend, isSameAttempt, hasSameMessage].join(' AND '),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(send.id),
      ':attempt': send.attempt,
      ...(rejected !== undefined && { ':rejected': rejected }),
      ':sent': 'sent',
      ':providerMessageId': providerMessageId,
      ':at': at,
      ':gsi1pk': gsi1pk,
      ':gsi1sk': gsi1sk,
    },
  };
  if (deliveries.length === 0) {
    const outcome = await writeIf(() =>
      retryConflicts(() => table.client.send(new UpdateCommand(update))),
    );
    if (outcome.written) return 'settled';
    return outcome.standing && toSend(outcome.standing);
  }
  const outcome = await transactWrite(table, [
    { Update: update },
    ...putDeliveries(table, deliveries),
  ]);
  if (outcome.committed) return 'settled';
  const [own] = outcome.conditions;
  // Its rows are there: it was told as a further message, before the first one was rejected.
  if (own?.failed === false) return settle(table, send, { providerMessageId, at }, []);
  return own?.item && toSend(own.item);
}

async function putFurther(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const outcome = await transactWrite(table, [
    putFurtherMessage(table, send, acceptance),
    ...putDeliveries(table, deliveries),
  ]);
  return outcome.committed;
}

/**
 * What became of the report that an attempt sent nothing.
 *
 * - `failed`: the send is `failed`, and a retry makes the next attempt.
 * - `held`: an earlier attempt may still be proven accepted, so the send stays `sending`.
 * - `lost`: the send is not this attempt's any more, or it was proven to be out.
 */
export type FailureOutcome = 'failed' | 'held' | 'lost';

/**
 * Records that an attempt sent nothing. Only the attempt itself may say so: one that was given up cannot
 * speak for its successor.
 *
 * @param reason SES's name for it, for example `MessageRejected`.
 * @param now epoch milliseconds
 */
export async function recordFailure(
  table: Table,
  send: Send,
  reason: string,
  now: number,
): Promise<FailureOutcome> {
  const isHeld = isInDoubt(send, now);
  const failure: FailedAttempt = { attempt: send.attempt, at: now, reason };
  const update = new UpdateCommand({
    TableName: table.name,
    Key: keyOf(send),
    UpdateExpression: `SET ${isHeld ? '' : '#status = :failed, '}${appendFailure}, updatedAt = :now`,
    ConditionExpression: [
      isSameSend,
      isSameAttempt,
      isSending,
      isNotProven,
      `attribute_not_exists(attempts[${send.attempts.length}])`,
    ].join(' AND '),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(send.id),
      ':attempt': send.attempt,
      ':sending': 'sending',
      ...(!isHeld && { ':failed': 'failed' }),
      ':failure': [failure],
      ':none': [],
      ':now': now,
    },
  });
  const outcome = await writeIf(() => retryConflicts(() => table.client.send(update)));
  if (outcome.written) return isHeld ? 'held' : 'failed';
  // The answer to our own Update was lost, and the SDK tried again.
  const standing = outcome.standing && toSend(outcome.standing);
  const isOurs =
    standing?.id === send.id &&
    standing.claimId === send.claimId &&
    standing.status === (isHeld ? 'sending' : 'failed') &&
    standing.provenAt === undefined;
  if (!isOurs) return 'lost';
  return isHeld ? 'held' : 'failed';
}

const appendFailure = 'attempts = list_append(if_not_exists(attempts, :none), :failure)';

/**
 * Records that SES rejected the content of a message after it had accepted it. Its send has failed: a
 * retry makes the next attempt. A further message that is rejected changes nothing.
 */
export async function recordRejection(
  table: Table,
  send: Send,
  { providerMessageId, at }: Acceptance,
  reason: string,
): Promise<void> {
  const failure: FailedAttempt = {
    attempt: send.attempt,
    at,
    reason,
    providerMessageId,
    sentAt: at,
  };
  const update = new UpdateCommand({
    TableName: table.name,
    Key: keyOf(send),
    UpdateExpression: `SET #status = :failed, ${appendFailure}, updatedAt = :at`,
    ConditionExpression: [isSameSend, isSent, hasThisMessage].join(' AND '),
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(send.id),
      ':sent': 'sent',
      ':failed': 'failed',
      ':providerMessageId': providerMessageId,
      ':failure': [failure],
      ':none': [],
      ':at': at,
    },
  });
  await writeIf(() => retryConflicts(() => table.client.send(update)));
}

/**
 * Records that somebody fetched a pixel or link of an email whose message id is not known: SES took it, so
 * no further attempt is made.
 */
export async function recordProof(table: Table, send: Send, now: number): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: keyOf(send),
    UpdateExpression: 'SET provenAt = if_not_exists(provenAt, :now), updatedAt = :now',
    ConditionExpression: `${isSameSend} AND ${hasNoMessage}`,
    ExpressionAttributeValues: { ':nonce': ownPartIn(send.id), ':now': now },
  });
  await writeIf(() => retryConflicts(() => table.client.send(update)));
}

export const openSettlementStore = (table: Table) => ({
  commitAcceptance: (send: Send, acceptance: Acceptance, deliveries: readonly Delivery[]) =>
    commitAcceptance(table, send, acceptance, deliveries),
  recordFailure: (send: Send, reason: string, now: number) =>
    recordFailure(table, send, reason, now),
  recordRejection: (send: Send, acceptance: Acceptance, reason: string) =>
    recordRejection(table, send, acceptance, reason),
  recordProof: (send: Send, now: number) => recordProof(table, send, now),
});
export type SettlementStore = ReturnType<typeof openSettlementStore>;
