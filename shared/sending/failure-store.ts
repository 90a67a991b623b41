import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeIf } from '#shared/table/condition-failure';
import { retryConflicts } from '#shared/table/retry-conflicts';
import type { Table } from '#shared/table/table-client';
import { ownPartIn } from '#shared/tokens/resource-id';
import { type Acceptance, type FailedAttempt, mayEarlierBeProven, type Send } from './send.ts';
import {
  hasThisMessage,
  isNotProven,
  isSameAttempt,
  isSameSend,
  isSending,
  isSent,
} from './send-conditions.ts';
import { keyOf, toSend } from './send-items.ts';

/**
 * The outcome of the report that an attempt sent nothing.
 *
 * - `failed`: the send is `failed`, and a retry makes the next attempt.
 * - `held`: an earlier attempt may still be proven accepted, so the send stays `sending`.
 * - `lost`: a later attempt has the send, or the email was proven to be sent.
 */
export type FailureOutcome = 'failed' | 'held' | 'lost';

/**
 * Records that an attempt sent nothing. Only the attempt itself may record it. An attempt that was given up
 * cannot speak for its successor.
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
  const isHeld = mayEarlierBeProven(send, now);
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
  // The answer to our own Update may have been lost, so that the SDK repeated it.
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
 * Records that SES accepted a message and then rejected its content. The send has failed, and a retry makes
 * the next attempt. If the rejected message is a further one of the send, nothing changes.
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
