import * as z from 'zod/mini';
import type { Table } from '#shared/table/table-client';
import {
  type FailedTransaction,
  type TransactionItem,
  transactWrite,
} from '#shared/table/transact-write';
import type { Delivery } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import { type Acceptance, type Send, sendResponseOf, sendSchema } from './send.ts';
import { acceptanceItems, completeKey, freeKey, moveSend } from './settlement-items.ts';

/**
 * `lost`: the send had moved on before this write. `refused`: it had, to `failed`, as SES took the email
 * and then rejected its content.
 */
export type Settlement = 'settled' | 'lost' | 'refused';

/** `commitAcceptance` or `recordLateAcceptance`, on the table of the caller. */
export type CommitAcceptance = (
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
) => Promise<Settlement>;

/**
 * Commits an accepted email in one transaction: send, message, `sent` event, and the idempotency key
 * with the answer to replay. The request itself calls it, and so does the provider's Send event for
 * a request that died: whichever is second finds the send settled.
 *
 * @param deliveries the webhook outbox rows of the `sent` event.
 */
export function commitAcceptance(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
): Promise<Settlement> {
  const { providerMessageId, at } = acceptance;
  const response = sendResponseOf(send, 'sent', providerMessageId);
  const changes = { providerMessageId, updatedAt: at };
  return settle(
    table,
    [
      moveSend(table, send, 'sent', changes),
      ...acceptanceItems(table, send, acceptance),
      ...putDeliveries(table, deliveries),
    ],
    completeKey(table, send, response),
  );
}

/** Completes a send whose `to` address is suppressed. `now` in epoch milliseconds. */
export function commitSuppression(table: Table, send: Send, now: number): Promise<Settlement> {
  const response = sendResponseOf(send, 'suppressed');
  return settle(
    table,
    [moveSend(table, send, 'suppressed', { updatedAt: now })],
    completeKey(table, send, response),
  );
}

/**
 * Fails a send and frees its idempotency key, so that a retry sends anew.
 *
 * @param failureReason SES's name for it, for example `MessageRejected`.
 */
export function commitFailure(
  table: Table,
  send: Send,
  failureReason: string,
  now: number,
): Promise<Settlement> {
  return settle(
    table,
    [moveSend(table, send, 'failed', { failureReason, updatedAt: now })],
    freeKey(table, send),
  );
}

/**
 * Records a message that SES accepted for a send which is settled already: the late acceptance of an
 * attempt that was given up. The timeline then shows both messages.
 */
export async function recordLateAcceptance(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
): Promise<Settlement> {
  const outcome = await transactWrite(table, [
    ...acceptanceItems(table, send, acceptance),
    ...putDeliveries(table, deliveries),
  ]);
  return outcome.committed ? 'settled' : 'lost';
}

/**
 * Writes the send's items together with its key's. A key that outlived its retention is no longer
 * there to write; the send is then settled without it.
 */
async function settle(
  table: Table,
  items: readonly TransactionItem[],
  keyItem: TransactionItem | undefined,
): Promise<Settlement> {
  if (keyItem !== undefined) {
    const outcome = await transactWrite(table, [...items, keyItem]);
    if (outcome.committed) return 'settled';
    const onlyTheKeyIsGone = outcome.conditions
      .slice(0, items.length)
      .every(({ failed }) => !failed);
    if (!onlyTheKeyIsGone) return lossOf(outcome);
  }
  const outcome = await transactWrite(table, items);
  return outcome.committed ? 'settled' : lossOf(outcome);
}

/** The send's own move is the first item of every settlement. */
function lossOf({ conditions }: FailedTransaction): Settlement {
  const send = z.pick(sendSchema, { status: true }).safeParse(conditions[0]?.item).data;
  return send?.status === 'failed' ? 'refused' : 'lost';
}
