import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { deliveryKey, dueDeliveries, dueIndexKey } from '#shared/table/delivery-keys';
import { leaveDueIndex } from '#shared/table/due-index';
import { isExpired, toSeconds } from '#shared/table/expiry';
import type { Table } from '#shared/table/table-client';
import { retryConflicts, writeIf } from '#shared/table/writes';
import type { DeliveryId } from '#shared/tokens/resource-id';
import { type Attempt, type Delivery, leaseMs } from './delivery.ts';
import { toDelivery } from './delivery-store.ts';

/** `first`: the queue asks for the first attempt only. `due`: the delivery is due. */
export type AttemptOccasion = 'first' | 'due';

const isPending = '#status = :pending';

const isUnleased = '(attribute_not_exists(leaseExpiresAt) OR leaseExpiresAt < :now)';

const isUntried = 'attemptsStarted = :none';

const isDue = 'dueAt <= :now';

const isKept = 'expiresAt > :nowInSeconds';

export function openAttemptStore(table: Table) {
  /**
   * Exactly one of several concurrent claims succeeds. An expired delivery leaves the index of due ones.
   *
   * @returns the delivery with this attempt counted; `undefined` if it may not be attempted now.
   */
  async function claim(
    id: DeliveryId,
    occasion: AttemptOccasion,
    now: number,
  ): Promise<Delivery | undefined> {
    const isTime = occasion === 'first' ? isUntried : isDue;
    const update = new UpdateCommand({
      TableName: table.name,
      Key: deliveryKey(id),
      UpdateExpression: 'SET leaseExpiresAt = :lease, updatedAt = :now ADD attemptsStarted :one',
      ConditionExpression: [isPending, isUnleased, isTime, isKept].join(' AND '),
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':pending': 'pending',
        ':now': now,
        ':nowInSeconds': toSeconds(now),
        ':lease': now + leaseMs,
        ':one': 1,
        ...(occasion === 'first' && { ':none': 0 }),
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      const { Attributes } = await retryConflicts(() => table.client.send(update));
      return Attributes && toDelivery(Attributes);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (isExpired(unmarshall(error.Item ?? {}), now)) {
        await leaveDueIndex(table, dueDeliveries, deliveryKey(id), now);
      }
      return undefined;
    }
  }

  /**
   * Does nothing if the lease has expired and another process has claimed the delivery. If a person was erased from the
   * body since the claim, the answers are dropped: they may quote the address.
   */
  async function settle(delivery: Delivery, outcome: DeliveryOutcome, now: number): Promise<void> {
    let seen = delivery;
    let { attempts } = outcome;
    for (;;) {
      const settled = await writeIf(() =>
        table.client.send(settlement(table, seen, { ...outcome, attempts }, now)),
      );
      const existing = settled.written ? undefined : settled.existing;
      const isOurs =
        existing !== undefined && existing['leaseExpiresAt'] === delivery.leaseExpiresAt;
      if (!isOurs) return;
      seen = toDelivery(existing);
      attempts = attempts.map(({ answer: _, ...attempt }) => attempt);
    }
  }

  return { claim, settle };
}
export type DeliveryOutcome =
  | { readonly status: 'delivered'; readonly attempts: readonly Attempt[] }
  | {
      readonly status: 'failed';
      readonly attempts: readonly Attempt[];
      readonly failureReason: string;
    }
  | { readonly status: 'pending'; readonly attempts: readonly Attempt[]; readonly dueAt: number };

const isOurLease = 'leaseExpiresAt = :lease';

const hasSameBody = 'body = :body';

function settlement(
  table: Table,
  delivery: Delivery,
  outcome: DeliveryOutcome,
  now: number,
): UpdateCommand {
  const { attempts, ...changes } = outcome;
  const index =
    'dueAt' in outcome ? dueIndexKey(delivery.id, delivery.webhookId, outcome.dueAt) : undefined;
  const assignments = {
    ...changes,
    attempts,
    updatedAt: now,
    ...(index && { gsi1sk: index.gsi1sk }),
  };
  const names = Object.keys(assignments);
  return new UpdateCommand({
    TableName: table.name,
    Key: deliveryKey(delivery.id),
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} REMOVE ${
      index === undefined ? 'leaseExpiresAt, gsi1pk, gsi1sk' : 'leaseExpiresAt'
    }`,
    ConditionExpression: `${isOurLease} AND ${hasSameBody}`,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ':lease': delivery.leaseExpiresAt,
      ':body': delivery.body,
      ...Object.fromEntries(
        Object.entries(assignments).map(([name, value]) => [`:${name}`, value]),
      ),
    },
  });
}
