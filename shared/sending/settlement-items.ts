import { toEventItem } from '#shared/events/event-store';
import { idempotencyKey, messageKey, providerMessageIndexKey, sendKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/transact-write';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { Acceptance, Message, Send, SendResponse, SendStatus } from './send.ts';

// The items of the transactions that settle a send.

/** The message and its `sent` event. */
export function acceptanceItems(table: Table, send: Send, { providerMessageId, at }: Acceptance) {
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
export function moveSend(
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

/** The key gets the answer to replay; a send without a key needs nothing. */
export function completeKey(
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

/** A retry with the key then sends anew. */
export function freeKey(table: Table, send: Send): TransactionItem | undefined {
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
