import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { idempotencyKey, sendKey, sendListIndexKey } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionOutcome, transactWrite } from '#shared/table/transact-write';
import { feedbackIdOf, organizationIdOf } from '#shared/tokens/resource-id';
import {
  type IdempotencyRecord,
  type IdempotencyVerdict,
  idempotencyRecordSchema,
  judgeRecord,
} from './idempotency.ts';
import type { Send } from './send.ts';

export type Claim = {
  /** The send to make, status `sending`. */
  readonly send: Send;
  readonly fingerprint: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly leaseExpiresAt: number;
  /** When the idempotency key is forgotten, epoch seconds. */
  readonly keyExpiresAt: number;
};

export type ClaimOutcome =
  | {
      readonly kind: 'claimed';
      readonly send: Send;
    }
  | Exclude<IdempotencyVerdict, { kind: 'take_over' }>;

const maxRounds = 4;

const keyIsFree = 'attribute_not_exists(pk)';
const keyIsForgotten = 'expiresAt < :nowInSeconds';

/**
 * Claims the right to send. With an idempotency key, the key's record and the send are written
 * together or not at all; what the record says on failure tells replay, conflict and takeover apart
 * without another read. A takeover is itself a conditional write: of two retries one wins.
 */
export async function claimSend(table: Table, claim: Claim): Promise<ClaimOutcome> {
  const { send } = claim;
  if (send.idempotencyKey === undefined) {
    await putNewSend(table, send);
    return { kind: 'claimed', send };
  }
  for (let round = 1; round <= maxRounds; round += 1) {
    const first = await transactWrite(table, claimItems(table, claim, send.idempotencyKey));
    if (first.committed) return { kind: 'claimed', send };

    const record = recordIn(first);
    if (record === undefined) continue;
    const verdict = judgeRecord(record, claim.fingerprint, claim.now);
    if (verdict.kind !== 'take_over') return verdict;

    const taken = await takeOver(table, claim, verdict.record, send.idempotencyKey);
    if (taken !== undefined) return { kind: 'claimed', send: taken };
  }
  return { kind: 'in_progress', retryAt: claim.leaseExpiresAt };
}

function claimItems(table: Table, claim: Claim, key: string) {
  const { send, fingerprint, leaseExpiresAt } = claim;
  const record: IdempotencyRecord = {
    state: 'in_progress',
    fingerprint,
    sendId: send.id,
    claimedAt: claim.now,
    leaseExpiresAt,
  };
  return [
    {
      Put: {
        TableName: table.name,
        Item: {
          ...idempotencyKey(organizationIdOf(send.id), key),
          ...record,
          expiresAt: claim.keyExpiresAt,
        },
        ConditionExpression: `${keyIsFree} OR ${keyIsForgotten}`,
        ExpressionAttributeValues: { ':nowInSeconds': Math.floor(claim.now / 1000) },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      },
    },
    { Put: { TableName: table.name, Item: toSendItem(send), ConditionExpression: keyIsFree } },
  ];
}

/** Takes over a send in doubt; answers it under its first id, or nothing when another was faster. */
async function takeOver(
  table: Table,
  claim: Claim,
  record: IdempotencyRecord,
  key: string,
): Promise<Send | undefined> {
  const send = { ...claim.send, id: record.sendId, feedbackId: feedbackIdOf(record.sendId) };
  const outcome = await transactWrite(table, [
    {
      Update: {
        TableName: table.name,
        Key: idempotencyKey(organizationIdOf(send.id), key),
        UpdateExpression: 'SET leaseExpiresAt = :leaseExpiresAt, claimedAt = :now',
        ConditionExpression: '#state = :inProgress AND leaseExpiresAt = :lapsedLease',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: {
          ':leaseExpiresAt': claim.leaseExpiresAt,
          ':now': claim.now,
          ':inProgress': 'in_progress',
          ':lapsedLease': record.leaseExpiresAt,
        },
      },
    },
    {
      Update: {
        TableName: table.name,
        Key: sendKey(send.feedbackId),
        UpdateExpression:
          'SET fromEmail = :fromEmail, subject = :subject, suppressedRecipients = :suppressed, updatedAt = :now',
        ConditionExpression: '#status = :sending',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':fromEmail': send.fromEmail,
          // The template may have been edited since.
          ':subject': send.subject,
          ':suppressed': send.suppressedRecipients,
          ':now': claim.now,
          ':sending': 'sending',
        },
      },
    },
  ]);
  return outcome.committed ? send : undefined;
}

async function putNewSend(table: Table, send: Send): Promise<void> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: toSendItem(send),
        ConditionExpression: keyIsFree,
      }),
    );
  } catch (error) {
    // The id is random, so the item that is there already is our own: the answer to the first try
    // was lost and the SDK tried again.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

const toSendItem = (send: Send): StoredItem => ({
  ...sendKey(send.feedbackId),
  ...sendListIndexKey(send.id, send.createdAt),
  ...send,
});

function recordIn(outcome: TransactionOutcome): IdempotencyRecord | undefined {
  const item = outcome.committed ? undefined : outcome.conditions[0]?.item;
  return item && idempotencyRecordSchema.parse(item);
}
