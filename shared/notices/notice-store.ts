import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { isNew, onlyIf } from '#shared/table/conditional-update';
import { dueNoticeIndexKey, type Key, noticeKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, writeIf } from '#shared/table/writes';
import type { Notice } from './notice.ts';

/**
 * Goes into the transaction that causes it, which it never makes fail: a second one of the same day replaces the first,
 * and its email has the same idempotency key.
 */
export const putNotice = (notice: Notice) => ({
  Put: {
    Item: {
      ...noticeKey(notice),
      ...dueNoticeIndexKey(notice.organizationId, notice.at),
      ...notice,
    },
  },
});

/** Does nothing if there is one with the same cause, subject and day. */
export async function storeNotice(table: Table, notice: Notice): Promise<void> {
  const { Put } = putNotice(notice);
  const put = new PutCommand({ TableName: table.name, ...Put, ...onlyIf(isNew) });
  await writeIf(() => table.client.send(put));
}

const isBelow = 'attribute_not_exists(emails) OR emails < :most';

/** Makes the transaction fail if the day has `most` already. */
export const countOfDay = (key: Key, most: number, expiresAt: number): TransactionItem => ({
  Update: {
    Key: key,
    UpdateExpression: 'SET expiresAt = :expiresAt ADD emails :one',
    ConditionExpression: isBelow,
    ExpressionAttributeValues: { ':expiresAt': expiresAt, ':one': 1, ':most': most },
  },
});
