import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '#shared/table/batch-get';
import { writeIf } from '#shared/table/condition-failure';
import { isExpired } from '#shared/table/expiry';
import { sortableTime } from '#shared/table/keys';
import { dueNoticesPartition, noticeKey } from '#shared/table/notice-keys';
import { readItem } from '#shared/table/read-item';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { type Notice, noticeSchema } from './notice.ts';

const keySchema = z.object({ pk: z.string(), sk: z.string() });
/** A run sends a few, so this is a page that is never full on an ordinary day. */
const pageSize = 100;
const isSameFiling = '#at = :at';

/** The notices that are due, those that wait longest first. `now` in epoch milliseconds. */
export async function findDueNotices(table: Table, now: number): Promise<Notice[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk <= :now',
      ExpressionAttributeValues: { ':pk': dueNoticesPartition, ':now': sortableTime(now) },
      Limit: pageSize,
    }),
  );
  if (Items.length === 0) return [];
  const keys = Items.map((item) => keySchema.parse(item));
  const itemOf = await batchGet(table, keys);
  return keys.flatMap((key) => {
    const item = itemOf(key);
    return item === undefined || isExpired(item, now)
      ? []
      : [readItem('notice', noticeSchema, item)];
  });
}

export type NoticeOutcome = 'sent' | 'suppressed' | 'unaddressed' | 'known';

/** Takes a notice from those that are due. It stays as a mark of its day. */
export async function settleNotice(
  table: Table,
  notice: Notice,
  outcome: NoticeOutcome,
): Promise<void> {
  await update(table, notice, 'SET outcome = :outcome REMOVE gsi1pk, gsi1sk', {
    ':outcome': outcome,
  });
}

/** Leaves a notice due at a later moment, epoch milliseconds. */
export async function postponeNotice(table: Table, notice: Notice, dueAt: number): Promise<void> {
  await update(table, notice, 'SET attempts = :attempts, gsi1sk = :due', {
    ':attempts': notice.attempts + 1,
    ':due': sortableTime(dueAt),
  });
}

/** Changes nothing when the notice was filed anew meanwhile. */
const update = (
  table: Table,
  notice: Notice,
  expression: string,
  values: Readonly<Record<string, string | number>>,
) =>
  writeIf(() =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: noticeKey(notice),
        UpdateExpression: expression,
        ConditionExpression: isSameFiling,
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ...values, ':at': notice.at },
      }),
    ),
  );

export const openDueNoticeStore = (table: Table) => ({
  find: (now: number) => findDueNotices(table, now),
  settle: (notice: Notice, outcome: NoticeOutcome) => settleNotice(table, notice, outcome),
  /** Leaves it due at a later moment, epoch milliseconds. */
  postpone: (notice: Notice, dueAt: number) => postponeNotice(table, notice, dueAt),
});
export type DueNoticeStore = ReturnType<typeof openDueNoticeStore>;
