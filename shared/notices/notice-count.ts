import type { Key } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/transact-write';

const isBelow = 'attribute_not_exists(emails) OR emails < :most';

/** Counts one email more of a day, and fails the transaction when the day has its `most` already. */
export const countOfDay = (
  table: Table,
  key: Key,
  most: number,
  expiresAt: number,
): TransactionItem => ({
  Update: {
    TableName: table.name,
    Key: key,
    UpdateExpression: 'SET expiresAt = :expiresAt ADD emails :one',
    ConditionExpression: isBelow,
    ExpressionAttributeValues: { ':expiresAt': expiresAt, ':one': 1, ':most': most },
  },
});
