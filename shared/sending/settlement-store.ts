import * as z from 'zod/mini';
import { toEventItem } from '#shared/events/event-store';
import { idempotencyKey, messageKey, providerMessageIndexKey, sendKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import {
  type FailedTransaction,
  type TransactionItem,
  transactWrite,
} from '#shared/table/transact-write';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { putDeliveries } from '#shared/webhooks/delivery-store';
import {
  type Message,
  type Send,
  type SendResponse,
  type SendStatus,
  sendResponseOf,
  sendSchema,
} from './send.ts';

/**
 * `lost`: the send had moved on before this write. `refused`: it had, to `failed`, as SES took the email
 * and then rejected its content.
 */
export type Settlement = 'settled' | 'lost' | 'refused';

/** That SES took the message: its id, and when, in epoch milliseconds. */
export type Acceptance = { readonly providerMessageId: string; readonly at: number };

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

function acceptanceItems(table: Table, send: Send, { providerMessageId, at }: Acceptance) {
  const message: Message = {
    sendId: send.id,
    provider: 'ses',
    fromEmail: send.fromEmail,
    toEmail: send.toEmail,
    feedbackId: send.feedbackId,
    providerMessageId,
    createdAt: at,
  };
  const event = { type: 'sent', ts: at, providerMessageId } as const;
  return [
    {
      Put: {
        TableName: table.name,
        Item: {
          ...messageKey(send.feedbackId, providerMessageId),
          ...providerMessageIndexKey(providerMessageId),
          ...message,
        },
      },
    },
    {
      Put: {
        TableName: table.name,
        Item: toEventItem(send.feedbackId, event),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
  ];
}

/** Moves the send from the status that the caller saw; fails when it has moved meanwhile. */
function moveSend(
  table: Table,
  send: Send,
  to: SendStatus,
  changes: Readonly<Record<string, string | number>>,
): TransactionItem {
  const assignments = Object.keys(changes).map((name) => `${name} = :${name}`);
  const values = Object.entries(changes).map(([name, value]) => [`:${name}`, value]);
  return {
    Update: {
      TableName: table.name,
      Key: sendKey(send.feedbackId),
      UpdateExpression: `SET ${['#status = :to', ...assignments].join(', ')}`,
      ConditionExpression: '#status = :from',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':from': send.status,
        ':to': to,
        ...Object.fromEntries(values),
      },
    },
  };
}

const keyHoldsThisSend = 'sendId = :sendId';

function completeKey(
  table: Table,
  send: Send,
  response: SendResponse,
): TransactionItem | undefined {
  if (send.idempotencyKey === undefined) return undefined;
  return {
    Update: {
      TableName: table.name,
      Key: idempotencyKey(organizationIdOf(send.id), send.idempotencyKey),
      UpdateExpression: 'SET #state = :completed, #response = :response',
      ConditionExpression: keyHoldsThisSend,
      ExpressionAttributeNames: { '#state': 'state', '#response': 'response' },
      ExpressionAttributeValues: {
        ':completed': 'completed',
        ':response': response,
        ':sendId': send.id,
      },
    },
  };
}

function freeKey(table: Table, send: Send): TransactionItem | undefined {
  if (send.idempotencyKey === undefined) return undefined;
  return {
    Delete: {
      TableName: table.name,
      Key: idempotencyKey(organizationIdOf(send.id), send.idempotencyKey),
      ConditionExpression: keyHoldsThisSend,
      ExpressionAttributeValues: { ':sendId': send.id },
    },
  };
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
