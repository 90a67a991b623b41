import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  anyOf,
  is,
  isAbove,
  isAbsent,
  isAtMost,
  isBelow,
  updateIf,
} from '#shared/table/conditional-update';
import { deliveryKey, dueDeliveries, dueIndexKey } from '#shared/table/delivery-keys';
import { leaveDueIndex } from '#shared/table/due-index';
import { isExpired, toSeconds } from '#shared/table/expiry';
import type { Table } from '#shared/table/table-client';
import { retryConflicts, writeIf } from '#shared/table/writes';
import type { DeliveryId } from '#shared/tokens/resource-id';
import { type Attempt, type Delivery, leaseMs } from './delivery.ts';
import { toDelivery } from './delivery-store.ts';

/**
 * `first`: the queue asks for the first attempt only. `asked`: the queue brings a retry that somebody asked for. `due`:
 * the scheduled run found it.
 */
export type AttemptOccasion = 'first' | 'asked' | 'due';

/**
 * Exactly one of several concurrent claims succeeds. An expired delivery leaves the index of due ones.
 *
 * @returns the delivery with this attempt counted; `undefined` if it may not be attempted now.
 */
export async function claimDelivery(
  table: Table,
  id: DeliveryId,
  occasion: AttemptOccasion,
  now: number,
): Promise<Delivery | undefined> {
  const change = {
    set: { leaseExpiresAt: now + leaseMs, updatedAt: now },
    add: { attemptsStarted: 1 },
  };
  const isTime = occasion === 'first' ? isUntried : isAtMost('dueAt', now);
  const claim = new UpdateCommand({
    TableName: table.name,
    ...updateIf(deliveryKey(id), change, [isPending, isUnleased(now), isTime, isKept(now)]),
    ReturnValues: 'ALL_NEW',
  });
  try {
    const { Attributes } = await retryConflicts(() => table.client.send(claim));
    return Attributes && toDelivery(Attributes);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    if (isExpired(unmarshall(error.Item ?? {}), now)) {
      await leaveDueIndex(table, dueDeliveries, deliveryKey(id), now);
    }
    return undefined;
  }
}

export type DeliveryOutcome =
  | { readonly status: 'delivered'; readonly attempts: readonly Attempt[] }
  | {
      readonly status: 'failed';
      readonly attempts: readonly Attempt[];
      readonly failureReason: string;
    }
  | { readonly status: 'pending'; readonly attempts: readonly Attempt[]; readonly dueAt: number };

/**
 * Does nothing if the lease has expired and another process has claimed the delivery. If a person was erased from the
 * body since the claim, the answers are dropped: they may quote the address.
 */
export async function settleDelivery(
  table: Table,
  delivery: Delivery,
  outcome: DeliveryOutcome,
  now: number,
): Promise<void> {
  let seen = delivery;
  let { attempts } = outcome;
  for (;;) {
    const settlement = new UpdateCommand({
      TableName: table.name,
      ...settlementOf(seen, { ...outcome, attempts }, now),
    });
    const settled = await writeIf(() => table.client.send(settlement));
    const existing = settled.written ? undefined : settled.existing;
    const isOurs = existing !== undefined && existing['leaseExpiresAt'] === delivery.leaseExpiresAt;
    if (!isOurs) return;
    seen = toDelivery(existing);
    attempts = attempts.map(({ answer: _, ...attempt }) => attempt);
  }
}

export const isPending = is('status', 'pending');
const isUntried = is('attemptsStarted', 0);
export const isUnleased = (now: number) =>
  anyOf(isAbsent('leaseExpiresAt'), isBelow('leaseExpiresAt', now));
const isKept = (now: number) => isAbove('expiresAt', toSeconds(now));

const isOurLease = ({ leaseExpiresAt }: Delivery) => is('leaseExpiresAt', leaseExpiresAt);
const hasSameBody = ({ body }: Delivery) => is('body', body);

function settlementOf(delivery: Delivery, outcome: DeliveryOutcome, now: number) {
  const { id } = delivery;
  const isDueAgain = 'dueAt' in outcome;
  const change = {
    set: {
      ...outcome,
      updatedAt: now,
      ...(isDueAgain && { gsi1sk: dueIndexKey({ ...delivery, dueAt: outcome.dueAt }).gsi1sk }),
    },
    remove: ['leaseExpiresAt', ...(isDueAgain ? [] : ['gsi1pk', 'gsi1sk'])],
  };
  return updateIf(deliveryKey(id), change, [isOurLease(delivery), hasSameBody(delivery)]);
}
